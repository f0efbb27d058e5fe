import { z } from "zod";

/** What can make a laptop slow, as far as it can be measured. */
export const causes = ["disk_full", "heat", "battery", "memory"] as const;
export type Cause = (typeof causes)[number];

/** What is measured on a device. */
export const diagnosticsRow = z.looseObject({
  device: z.string(),
  disk_free_percent: z.int(),
  memory_used_percent: z.int(),
  is_throttled: z.boolean(),
  battery_health_percent: z.int(),
});
export type DiagnosticsRow = z.infer<typeof diagnosticsRow>;

/** The numbers of the document on slow computers, in percent; a test compares them. */
export const limitsOfSlowness = { diskFreeBelow: 10, memoryUsedAbove: 90, batteryHealthBelow: 60 } as const;

/** Every cause that the measurements show: the model may explain, and this has the last word. */
export function measuredCauses(row: DiagnosticsRow): readonly Cause[] {
  const { diskFreeBelow, memoryUsedAbove, batteryHealthBelow } = limitsOfSlowness;
  return [
    ...(row.disk_free_percent < diskFreeBelow ? (["disk_full"] as const) : []),
    ...(row.is_throttled ? (["heat"] as const) : []),
    ...(row.battery_health_percent < batteryHealthBelow ? (["battery"] as const) : []),
    ...(row.memory_used_percent > memoryUsedAbove ? (["memory"] as const) : []),
  ];
}
