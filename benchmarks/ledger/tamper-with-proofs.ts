import { at, count, flipped, type Handed, handed, sizes, type Tampering } from "./handed.ts";
import { bodyOf, checkpointOf, makeSample, newKey, proofOf, type Sample } from "./sample.ts";

/** What may be done to the checkpoints of an export. */
export function ofCheckpoints(sample: Sample): readonly Tampering[] {
  const { origin, key, entries, checkpoints } = sample;
  const [five = "", ten = ""] = checkpoints;
  const other = newKey();
  const forged = makeSample({ count, sizes, key: other, word: "refuse" });
  const neighbour = makeSample({ count, sizes, key, tenant: "globex" });
  const wrong = (text: string) => handed({ ...sample, checkpoints: [five, text] }, {});
  const unsigned = { fault: "checkpoint_unsigned", seq: null, line: 3 } as const;
  return [
    { name: "the size of a checkpoint is changed", ...unsigned, handed: wrong(ten.replace("\n10\n", "\n9\n")) },
    {
      name: "the root of a checkpoint is changed",
      ...unsigned,
      handed: wrong(
        checkpointOf({ origin, key: other, entries: [] })
          .split("\n")
          .toSpliced(1, 1, "10")
          .toSpliced(3, 2, ...ten.split("\n").slice(3, 5))
          .join("\n"),
      ),
    },
    {
      name: "the signature of a checkpoint is changed",
      ...unsigned,
      handed: wrong(`${ten.slice(0, -10)}${ten.at(-10) === "A" ? "B" : "A"}${ten.slice(-9)}`),
    },
    {
      name: "a checkpoint is signed under a foreign key",
      ...unsigned,
      handed: wrong(checkpointOf({ origin, key: other, entries })),
    },
    {
      name: "a checkpoint is no checkpoint",
      fault: "checkpoint_invalid",
      seq: null,
      line: 3,
      handed: wrong(ten.replace("\n10\n", "\n010\n")),
    },
    {
      name: "a checkpoint is of another ledger",
      fault: "checkpoint_foreign",
      seq: null,
      line: 3,
      handed: { ...wrong(neighbour.checkpoints[1] ?? ""), keys: [sample.noteKey, neighbour.noteKey] },
    },
    {
      name: "all is written anew, under a foreign key",
      fault: "checkpoint_unsigned",
      seq: null,
      line: 2,
      handed: { ...handed(forged, {}), keys: [sample.noteKey] },
    },
    {
      name: "the checkpoints are removed",
      fault: "no_checkpoint",
      seq: null,
      handed: handed({ ...sample, checkpoints: [] }, {}),
    },
    {
      name: "the end is cut off with its checkpoint, and one was published",
      fault: "tail_cut",
      seq: 9,
      handed: handed({ ...sample, entries: entries.slice(0, 8), checkpoints: [five] }, { given: [ten] }),
    },
    {
      name: "all is written anew by whoever has the key, and a checkpoint was published",
      fault: "checkpoint_differs",
      seq: 1,
      handed: handed(makeSample({ count, sizes, key, word: "refuse" }), { given: [five] }),
    },
  ];
}

/** What may be done to a proof. */
export function ofProofs(sample: Sample): readonly Tampering[] {
  const { key, noteKey, tenant } = sample;
  const good = proofOf(sample, 4);
  const proved = (proof: string): Handed => ({ export: null, proof, keys: [noteKey], given: [] });
  const fewer = proofOf({ ...sample, entries: sample.entries.slice(0, 9) }, 4);
  const foreign = proofOf(makeSample({ count, sizes, key: newKey() }), 4);
  const neighbour = proofOf(makeSample({ count, sizes, key, tenant: "globex" }), 4);
  const other = { fault: "proof_invalid", seq: 4 } as const;
  const body = JSON.stringify(at(sample.entries, 4).body);
  const changed = JSON.stringify(bodyOf({ tenant, seq: 4, word: "refuse" }));
  return [
    { name: "a proof is stale: its hashes are of an earlier tree", ...other, handed: proved(fewer) },
    {
      name: "a proof is of another place",
      fault: "proof_invalid",
      seq: 5,
      handed: proved(good.replace('"index":3', '"index":4')),
    },
    { name: "a proof is of other bytes", ...other, handed: proved(good.replace(body, changed)) },
    {
      name: "a proof's hash is changed",
      ...other,
      handed: proved(good.replace(/"hashes":\["([0-9a-f]+)"/, (_, one: string) => `"hashes":["${flipped(one)}"`)),
    },
    {
      name: "a proof is against a checkpoint of a foreign key",
      fault: "checkpoint_unsigned",
      seq: null,
      handed: proved(foreign),
    },
    { name: "a proof is of another tenant's ledger", fault: "checkpoint_unsigned", seq: null, handed: proved(neighbour) },
    {
      name: "a proof is spelled otherwise",
      fault: "line_altered",
      seq: null,
      line: 1,
      handed: proved(good.replace('"v":1', '"v": 1')),
    },
  ];
}
