import { z } from "zod";

/** What every capability of this project takes: the request as a person wrote it. */
export const request = z.strictObject({ text: z.string().min(1).max(2000) });
export type Request = z.infer<typeof request>;

/** How sure the model is, in percent: the weakest signal. */
export const confidence = z.int().min(0).max(100);
