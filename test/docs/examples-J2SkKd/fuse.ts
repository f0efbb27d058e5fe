// fuse.ts
import { fuse } from "../../../src/know/search/fuse.ts";

export const told: [unknown, unknown][] = [];
told.push([fuse([{ weight: 1, ranks: ["a", "b"] }, { weight: 1, ranks: ["b", "c"] }]), ["b", "a", "c"]]);

export type Shown = typeof fuse;
