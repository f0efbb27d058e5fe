import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { genesisHash, type Link, linkHash } from "./chain.ts";

const link: Link = {
  tenant: "acme",
  seq: 1,
  entryId: "01890a5d-ac96-774b-bcce-b302099a8057",
  prevHash: genesisHash,
  entryHash: Buffer.alloc(32, 0xab),
};

test("a link's hash is SHA-256 over the documented bytes", () => {
  const label = Buffer.from("countersign seal v1\n").toString("hex");
  const bytes = `${label}0004${Buffer.from("acme").toString("hex")}000000000000000101890a5dac96774bbcceb302099a8057${"00".repeat(32)}${"ab".repeat(32)}`;
  expect(linkHash(link).toString("hex")).toBe(createHash("sha256").update(Buffer.from(bytes, "hex")).digest("hex"));
});

test("every part of a link changes its hash", () => {
  const others: Link[] = [
    { ...link, tenant: "acmf" },
    { ...link, seq: 2 },
    { ...link, entryId: link.entryId.replace("57", "58") },
    { ...link, prevHash: Buffer.alloc(32, 1) },
    { ...link, entryHash: Buffer.alloc(32, 1) },
  ];
  expect(new Set([link, ...others].map((one) => linkHash(one).toString("hex"))).size).toBe(others.length + 1);
});
