import { expect, test } from "vitest";
import type { Source } from "../../../contract/proposal.ts";
import { sourceUnder } from "./provenance.ts";

const source = (kind: Source["kind"], chosenBy: Source["chosenBy"] = "code", untrustedInContext = false): Source => ({
  ...{ kind, chosenBy, ref: null, at: null, untrustedInContext },
});

test("the source of a list is that of its most doubtful element", () => {
  const sources = {
    "/to/0": source("directory"),
    "/to/1": source("third_party"),
    "/total": source("principal"),
    "/a~1b": source("fact"),
  };
  expect(sourceUnder(sources, "to")?.kind).toBe("third_party");
  expect(sourceUnder(sources, "total")?.kind).toBe("principal");
  expect(sourceUnder(sources, "a/b")?.kind).toBe("fact");
  expect(sourceUnder(sources, "tot")).toBeUndefined();
});

test("what a model chose after it had read outside text is more doubtful than any source of code's", () => {
  const sources = { "/to/0": source("record", "model", true), "/to/1": source("third_party") };
  expect(sourceUnder(sources, "to")).toMatchObject({ kind: "record", chosenBy: "model" });
});
