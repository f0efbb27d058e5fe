// analyse.ts
import { analyse } from "../../../src/know/search/analyse.ts";

export const told: [unknown, unknown][] = [];
told.push([analyse("the Modifier.IDF of laptops"), [["modifier.idf", "modifi", "idf"], ["laptop"]]]);

export type Shown = typeof analyse;
