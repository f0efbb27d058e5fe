/** `it-support`, decided by a model on this machine instead of a script. */
import { withModel } from "countersign";
import project from "../it-support/project.ts";
import { model } from "./model.ts";

const sources = project.sources.map((source) => ({ ...source, folder: `../it-support/${source.folder}` }));
export default { ...withModel(project, model), sources };
