/** One signal of the composed confidence. */
export interface Signal {
  readonly name: "verification" | "evidence" | "judge" | "model";
  readonly ppm: number;
  readonly weightPpm: number;
}
