import { type Decided, type RecordRow, rowsOf } from "countersign";
import { z } from "zod";
import { type Allowance, allowReplacement, type DeviceRow, deviceRow, isAccessory, reasons } from "./replacement-rule.ts";
import { confidence, type Request } from "./request.ts";
import { resolveDevice } from "./resolve-request.ts";

/** What the model may say: which of the requester's devices, why, whether policy allows it, and the passage that says so. */
export const choice = z.strictObject({
  device: z.string().regex(/^dev-\d+$/),
  reason: z.enum(reasons),
  eligible: z.boolean(),
  policy: z.string().min(1).max(200),
  note: z.string().min(1).max(300),
  confidence,
});
export type Choice = z.infer<typeof choice>;
/** A choice with the request and what was loaded for it. */
export type Choosing = Decided<Request, Choice>;

/** The device that was chosen: by code where the request leaves no choice, else by the model. */
export interface Chosen {
  readonly row: RecordRow;
  readonly device: DeviceRow;
  readonly chosenBy: "code" | "model";
}

/** The requester's device that the decision names, or `null` where it names none of them. */
export function chosenDevice(decided: Choosing): Chosen | null {
  const own = ownDevices(decided).find(({ device }) => device.id === decided.decision.device);
  if (own === undefined) return null;
  return { ...own, chosenBy: namedDevice(decided)?.id === own.device.id ? "code" : "model" };
}

function ownDevices({ context }: Choosing): { row: RecordRow; device: DeviceRow }[] {
  return rowsOf(context, "device").flatMap((row) => {
    const parsed = deviceRow.safeParse(row.row);
    return parsed.success ? [{ row, device: parsed.data }] : [];
  });
}

/** The one device that the request itself names, or `null`. */
export function namedDevice(decided: Choosing): DeviceRow | null {
  return resolveDevice(
    decided.inputs.text,
    ownDevices(decided).map(({ device }) => device),
  );
}

/** What the device policy says of a device and the reason that was decided. */
export function allowanceOf({ context, decision: { reason }, envelope }: Choosing, device: DeviceRow): Allowance {
  const warranty = rowsOf(context, "warranty").find((one) => one.row["device"] === device.id)?.row ?? null;
  return allowReplacement({ device, reason, warranty, at: envelope.at });
}

/** The slice of a category: accessories are one. */
export function sliceOf(category: string | undefined): string {
  if (category === undefined) return "unknown";
  return isAccessory(category) ? "accessory" : category;
}
