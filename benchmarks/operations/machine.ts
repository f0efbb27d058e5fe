import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";

/** Where figures come from. A load above the cores before the run says that neighbours were measured too. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly arch: string;
  readonly kernel: string;
  readonly node: string;
  readonly loadBefore: readonly number[];
  readonly loadAfter: readonly number[];
}

/** Describes this machine after a run. */
export function machineOf(loadBefore: readonly number[]): Machine {
  return {
    ...{ cores: availableParallelism(), cpu: cpus()[0]?.model ?? "unknown", memoryBytes: totalmem() },
    ...{ platform: platform(), arch: arch(), kernel: release(), node: process.version, loadBefore, loadAfter: loadavg() },
  };
}
