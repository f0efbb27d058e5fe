import { hash } from "node:crypto";
import { linkHash } from "../../src/ledger/chain.ts";
import { type EntryLine, textOf } from "../../src/ledger/proofs/export-form.ts";
import { at, count, flipped, type Handed, handed, sizes, type Tampering } from "./handed.ts";
import { bodyOf, chained, idOf, linesOfSample, makeSample, proofOf, type Sample } from "./sample.ts";
import { ofCheckpoints, ofProofs } from "./tamper-with-proofs.ts";

/** Every kind of tampering with one honest export of ten entries, which is handed back as well. */
export function makeTamperings(): { readonly honest: Handed; readonly tamperings: readonly Tampering[] } {
  const sample = makeSample({ count, sizes });
  const kinds = [...ofEntries(sample), ...ofSeals(sample), ...ofSpelling(sample), ...ofCheckpoints(sample), ...ofProofs(sample)];
  return { honest: { ...handed(sample, {}), proof: proofOf(sample, 4) }, tamperings: kinds };
}

/** The sample's lines with another list of entry lines; the head says how many there are. */
function withEntries(sample: Sample, entries: readonly string[]): Handed {
  const head = textOf({ kind: "export", tenant: sample.tenant, origin: sample.origin, entries: entries.length });
  return handed(sample, { lines: [head, ...linesOfSample(sample).slice(1, 1 + sizes.length), ...entries] });
}

function ofEntries(sample: Sample): readonly Tampering[] {
  const { tenant, entries } = sample;
  const lines = entries.map(textOf);
  const four = at(entries, 4);
  const wrong = (changes: Partial<EntryLine>) => lines.with(3, textOf({ ...four, ...changes }));
  const foreign = bodyOf({ tenant: "globex", seq: 4, word: "replace" });
  const inserted = resealed(tenant, {
    ...at(entries, 7),
    entryId: idOf(70),
    body: bodyOf({ tenant, seq: 70, word: "inserted" }),
  });
  const later = entries.slice(6).map((entry) => ({ ...entry, seq: entry.seq + 1 }));
  return [
    {
      name: "a byte of an entry is changed",
      fault: "entry_altered",
      seq: 4,
      handed: withEntries(sample, wrong({ body: four.body.replace("replace", "repl4ce") })),
    },
    { name: "an entry is removed", fault: "seal_missing", seq: 4, handed: withEntries(sample, lines.toSpliced(3, 1)) },
    { name: "the first entry is removed", fault: "seal_missing", seq: 1, handed: withEntries(sample, lines.slice(1)) },
    {
      name: "two entries change places",
      fault: "seal_missing",
      seq: 4,
      handed: withEntries(sample, lines.with(3, lines[4] ?? "").with(4, lines[3] ?? "")),
    },
    {
      name: "an entry stands twice",
      fault: "seal_repeated",
      seq: 5,
      handed: withEntries(sample, lines.toSpliced(4, 0, lines[3] ?? "")),
    },
    {
      name: "an entry is inserted, with a seal of its own",
      fault: "chain_broken",
      seq: 7,
      handed: withEntries(sample, [...lines.slice(0, 6), textOf(inserted), ...later.map(textOf)]),
    },
    { name: "the last two entries are cut off", fault: "tail_cut", seq: 9, handed: withEntries(sample, lines.slice(0, 8)) },
    {
      name: "an entry of another tenant stands in the place of one",
      fault: "entry_replaced",
      seq: 4,
      handed: withEntries(sample, wrong({ body: foreign, entryHash: sha256(foreign) })),
    },
    { name: "one more entry than the first line says", fault: "seal_repeated", seq: 11, handed: oneMore(sample) },
  ];
}

function ofSeals(sample: Sample): readonly Tampering[] {
  const { tenant, entries } = sample;
  const lines = entries.map(textOf);
  const four = at(entries, 4);
  const wrong = (changes: Partial<EntryLine>) => withEntries(sample, lines.with(3, textOf({ ...four, ...changes })));
  const bodies = entries.map(({ body }) => body);
  const otherBody = bodyOf({ tenant, seq: 4, word: "refuse" });
  const rehashed = chained(tenant, bodies.with(6, bodyOf({ tenant, seq: 7, word: "refuse" })));
  return [
    { name: "the hash of a seal is changed", fault: "seal_altered", seq: 4, handed: wrong({ sealHash: flipped(four.sealHash) }) },
    {
      name: "the hash of the seal before is changed",
      fault: "chain_broken",
      seq: 4,
      handed: wrong({ prevHash: flipped(four.prevHash) }),
    },
    {
      name: "the hash of an entry is changed",
      fault: "entry_altered",
      seq: 4,
      handed: wrong({ entryHash: flipped(four.entryHash) }),
    },
    { name: "the place of an entry is changed", fault: "seal_missing", seq: 4, handed: wrong({ seq: 40 }) },
    { name: "an entry's id is changed", fault: "entry_replaced", seq: 4, handed: wrong({ entryId: idOf(400) }) },
    {
      name: "an entry is rewritten and sealed anew, the rest is as it was",
      fault: "chain_broken",
      seq: 4,
      handed: withEntries(sample, lines.with(3, textOf(resealed(tenant, { ...four, body: otherBody })))),
    },
    {
      name: "the chain is rewritten from an entry on",
      fault: "checkpoint_differs",
      seq: 6,
      handed: handed({ ...sample, entries: rehashed }, {}),
    },
  ];
}

function ofSpelling(sample: Sample): readonly Tampering[] {
  const { tenant, entries } = sample;
  const lines = entries.map(textOf);
  const four = lines[3] ?? "";
  const spelled = (line: string) => withEntries(sample, lines.with(3, line));
  const bodies = entries.map(({ body }) => body);
  const respelled = (change: (body: string) => string) =>
    handed({ ...sample, entries: chained(tenant, bodies.with(3, change(bodies[3] ?? ""))) }, {});
  const whole = handed(sample, {}).export ?? Buffer.alloc(0);
  const broken = Buffer.from(whole);
  broken[whole.indexOf(Buffer.from(idOf(4)))] = 0xff;
  const file = (bytes: Buffer): Handed => ({ ...handed(sample, {}), export: bytes });
  return [
    {
      name: "members are reordered",
      fault: "line_altered",
      seq: 4,
      handed: spelled(four.replace(/^\{("kind":"entry"),("seq":4),/, "{$2,$1,")),
    },
    { name: "a member stands twice", fault: "line_altered", seq: 4, handed: spelled(four.replace('"seq":4', '"seq":3,"seq":4')) },
    { name: "a member is added", fault: "line_altered", seq: 4, handed: spelled(four.replace('"seq":4', '"seq":4,"note":1')) },
    {
      name: "a number is spelled otherwise",
      fault: "line_altered",
      seq: 4,
      handed: spelled(four.replace('"seq":4', '"seq":4.0')),
    },
    { name: "spaces are added", fault: "line_altered", seq: 4, handed: spelled(four.replace('"seq":4', '"seq": 4')) },
    { name: "a NUL stands in a line", fault: "line_unreadable", seq: 4, handed: spelled(four.replace("replace", "repl\0ce")) },
    {
      name: "an escaped NUL stands in an entry",
      fault: "line_altered",
      seq: 4,
      handed: spelled(four.replace("replace", "repl\\u0000ce")),
    },
    {
      name: "a number within an entry is spelled otherwise and all is hashed anew",
      fault: "entry_altered",
      seq: 4,
      handed: respelled((body) => body.replace('"v":1', '"v":1.0')),
    },
    {
      name: "members within an entry are reordered and all is hashed anew",
      fault: "entry_altered",
      seq: 4,
      handed: respelled((body) => body.replace('"v":1,"verified":true', '"verified":true,"v":1')),
    },
    {
      name: "a member within an entry stands twice and all is hashed anew",
      fault: "entry_altered",
      seq: 4,
      handed: respelled((body) => body.replace('"v":1', '"v":1,"v":1')),
    },
    { name: "a byte is no UTF-8", fault: "line_unreadable", seq: 4, handed: file(broken) },
    { name: "the file ends within a line", fault: "line_unreadable", seq: 10, handed: file(whole.subarray(0, -20)) },
  ];
}

function oneMore(sample: Sample): Handed {
  const more = chained(sample.tenant, [
    ...sample.entries.map(({ body }) => body),
    bodyOf({ tenant: sample.tenant, seq: 11, word: "more" }),
  ]);
  const [head = "", ...checkpoints] = linesOfSample(sample).slice(0, 1 + sizes.length);
  return handed(sample, { lines: [head, ...checkpoints, ...more.map(textOf)] });
}

/** An entry whose own hashes fit what it holds and what it says that it follows. */
function resealed(tenant: string, entry: EntryLine): EntryLine {
  const entryHash = hash("sha256", entry.body, "buffer");
  const { seq, entryId } = entry;
  const sealHash = linkHash({ tenant, seq, entryId, prevHash: Buffer.from(entry.prevHash, "hex"), entryHash });
  return { ...entry, entryHash: entryHash.toString("hex"), sealHash: sealHash.toString("hex") };
}

function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
