// A desk: the program of `countersign desk`, loaded ahead.
import { desk } from "../../../src/cli/desk.ts";
import "../project/project.ts";
import { standBy } from "./stand-by.ts";

standBy(desk);
