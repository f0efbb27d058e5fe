/** `it-support`, decided by a model on this machine instead of a script. */
import { withModel } from "countersign";
import project from "../it-support/project.ts";
import { model } from "./model.ts";

export default withModel(project, model);
