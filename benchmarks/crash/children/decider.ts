// A decider: the program of `countersign serve`, loaded ahead.
import { serve } from "../../../src/cli/serve.ts";
import "../project/decide.ts";
import "../project/project.ts";
import { standBy } from "./stand-by.ts";

standBy(serve);
