import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isConsistent, isIncluded } from "./check-proof.ts";
import { emptyRoot, growTree, leafHash, nodeHash } from "./merkle.ts";
import { consistencyStretches, hashStretches, inclusionStretches, type Stretch } from "./stretches.ts";

/** The leaves and roots of the reference tests of Certificate Transparency (RFC 6962). */
const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map((hex) =>
  Buffer.from(hex, "hex"),
);
const roots = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const parts = {
  leaf1: "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
  from2to4: "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
  from4to8: "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
  from4to6: "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
  from6to8: "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
  leaf4: "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
};

function rootOf(of: readonly Buffer[]): Buffer {
  const tree = growTree();
  for (const leaf of of) tree.append(leaf);
  return tree.root();
}

const many: readonly Buffer[] = Array.from({ length: 200 }, (_, i) => createHash("sha256").update(`leaf ${i}`).digest());
const known = new Map<string, Buffer>();

/** The definition of RFC 9162, 2.1.1, word for word, over a stretch of the same two hundred leaves; beside it the tree is checked. */
function byDefinition({ start, end }: Stretch): Buffer {
  const name = `${start} ${end}`;
  const found = known.get(name) ?? defined({ start, end });
  known.set(name, found);
  return found;
}

function defined({ start, end }: Stretch): Buffer {
  if (end === start) return emptyRoot;
  if (end - start === 1) return leafHash(many[start] ?? emptyRoot);
  let k = 1;
  while (k * 2 < end - start) k *= 2;
  return nodeHash(byDefinition({ start, end: start + k }), byDefinition({ start: start + k, end }));
}

function proofOf(of: readonly Buffer[], stretches: readonly Stretch[]): readonly Buffer[] {
  const hasher = hashStretches(stretches);
  for (const leaf of of) hasher.append(leaf);
  return hasher.hashes();
}

const hex = (hashes: readonly Buffer[]) => hashes.map((one) => one.toString("hex"));

describe("the tree of RFC 6962", () => {
  test("gives the roots of the reference tests, and the root of the empty tree", () => {
    expect(emptyRoot.toString("hex")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(growTree().root()).toEqual(emptyRoot);
    expect(hex(leaves.map((_, i) => rootOf(leaves.slice(0, i + 1))))).toEqual(roots);
  });

  test("gives the proofs of the reference tests", () => {
    const { leaf1, from2to4, from4to8, from4to6, from6to8, leaf4 } = parts;
    expect(hex(proofOf(leaves, inclusionStretches({ index: 0, size: 8 })))).toEqual([leaf1, from2to4, from4to8]);
    expect(hex(proofOf(leaves, consistencyStretches({ from: 1, to: 8 })))).toEqual([leaf1, from2to4, from4to8]);
    expect(hex(proofOf(leaves, consistencyStretches({ from: 6, to: 8 })))).toEqual([from4to6, from6to8, roots[3]]);
    expect(hex(proofOf(leaves, consistencyStretches({ from: 2, to: 5 })))).toEqual([from2to4, leaf4]);
  });

  test("grows to the root of the definition at every size", () => {
    const tree = growTree();
    for (const [i, leaf] of many.entries()) {
      tree.append(leaf);
      expect(tree.root().equals(byDefinition({ start: 0, end: i + 1 })), `size ${i + 1}`).toBe(true);
    }
  });
});

const flipped = (bytes: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  const at = Math.floor(bit / 8) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit % 8));
  return copy;
};

const inTree = fc
  .integer({ min: 1, max: 200 })
  .chain((size) => fc.record({ size: fc.constant(size), index: fc.nat(size - 1), bit: fc.nat(255), at: fc.nat() }));
const twoTrees = fc
  .integer({ min: 1, max: 200 })
  .chain((to) => fc.record({ to: fc.constant(to), from: fc.integer({ min: 1, max: to }), bit: fc.nat(255), at: fc.nat() }));

describe("proofs", () => {
  test("of every leaf of every tree up to 200 leaves, and of every two of those trees, hold", { timeout: 120_000 }, () => {
    const missed: string[] = [];
    for (let size = 1; size <= 200; size += 1) {
      const root = byDefinition({ start: 0, end: size });
      for (let index = 0; index < size; index += 1) {
        const hashes = inclusionStretches({ index, size }).map(byDefinition);
        if (!isIncluded({ leaf: many[index] ?? emptyRoot, index, size, root, hashes })) missed.push(`${index} of ${size}`);
        const from = { size: index, root: byDefinition({ start: 0, end: index }) };
        const between = consistencyStretches({ from: index, to: size }).map(byDefinition);
        if (!isConsistent({ from, to: { size, root }, hashes: between })) missed.push(`${index} to ${size}`);
      }
    }
    expect(missed).toEqual([]);
  });

  test("of inclusion hold, and with any bit changed, any hash gone or another place they do not", () => {
    fc.assert(
      fc.property(inTree, ({ size, index, bit, at }) => {
        const of = many.slice(0, size);
        const [leaf, root] = [of[index] ?? emptyRoot, rootOf(of)];
        const hashes = proofOf(of, inclusionStretches({ index, size }));
        const good = { leaf, index, size, root, hashes };
        expect(isIncluded(good)).toBe(true);
        expect(isIncluded({ ...good, leaf: flipped(leaf, bit) })).toBe(false);
        expect(isIncluded({ ...good, root: flipped(root, bit) })).toBe(false);
        expect(isIncluded({ ...good, index: (index + 1) % (size + 1) })).toBe(false);
        expect(isIncluded({ ...good, hashes: [...hashes, root] })).toBe(false);
        if (hashes.length === 0) return;
        const place = at % hashes.length;
        expect(isIncluded({ ...good, hashes: hashes.map((one, i) => (i === place ? flipped(one, bit) : one)) })).toBe(false);
        expect(isIncluded({ ...good, hashes: hashes.toSpliced(place, 1) })).toBe(false);
      }),
    );
  });

  test("of consistency hold, and with any bit changed or any hash gone they do not", () => {
    fc.assert(
      fc.property(twoTrees, ({ from, to, bit, at }) => {
        const of = many.slice(0, to);
        const good = {
          from: { size: from, root: rootOf(of.slice(0, from)) },
          to: { size: to, root: rootOf(of) },
          hashes: proofOf(of, consistencyStretches({ from, to })),
        };
        expect(isConsistent(good)).toBe(true);
        expect(isConsistent({ ...good, from: { ...good.from, root: flipped(good.from.root, bit) } })).toBe(false);
        expect(isConsistent({ ...good, to: { ...good.to, root: flipped(good.to.root, bit) } })).toBe(false);
        expect(isConsistent({ ...good, hashes: [...good.hashes, emptyRoot] })).toBe(false);
        if (good.hashes.length === 0) return;
        const place = at % good.hashes.length;
        const changed = good.hashes.map((one, i) => (i === place ? flipped(one, bit) : one));
        expect(isConsistent({ ...good, hashes: changed })).toBe(false);
        expect(isConsistent({ ...good, hashes: good.hashes.toSpliced(place, 1) })).toBe(false);
      }),
    );
  });

  test("every tree continues the empty one, and none continues a larger one", () => {
    const of = many.slice(0, 5);
    const five = { size: 5, root: rootOf(of) };
    const none = { size: 0, root: emptyRoot };
    expect(isConsistent({ from: none, to: five, hashes: [] })).toBe(true);
    expect(isConsistent({ from: { size: 0, root: five.root }, to: five, hashes: [] })).toBe(false);
    expect(isConsistent({ from: five, to: none, hashes: [] })).toBe(false);
    expect(() => consistencyStretches({ from: 5, to: 4 })).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(() => inclusionStretches({ index: 5, size: 5 })).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(() => proofOf(of, inclusionStretches({ index: 0, size: 8 }))).toThrow(
      expect.objectContaining({ code: "bad_request" }),
    );
  });
});
