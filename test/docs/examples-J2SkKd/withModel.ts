// with-model.ts
import { withModel } from "../../../src/define/with-model.ts";
import type { Project } from "countersign"; declare const project: Project;
export const told: [unknown, unknown][] = [];
const local = withModel(project, { provider: "local", id: "qwen2.5:7b-instruct-q4_K_M", effort: "none", temperature: 0 });

export type Shown = typeof withModel;
