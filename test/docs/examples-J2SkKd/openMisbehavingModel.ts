// open-misbehaving-model.ts
import { openMisbehavingModel } from "../../../src/testing/misbehaving/open-misbehaving-model.ts";

export const told: [unknown, unknown][] = [];
const model = await openMisbehavingModel({ answers: [{ kind: "error", status: 503 }, { kind: "reply", text: '{"days":3}' }] });

export type Shown = typeof openMisbehavingModel;
