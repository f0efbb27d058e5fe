#!/usr/bin/env node
/**
 * Checks exports and proofs of a Countersign ledger, offline. It needs Node 18 or newer and nothing else; docs/proofs.md says what it checks
 * and where each form is described. Exit code 0: everything holds; 1: something does not, and the first such thing is named; 2: wrong use.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";

const usage = `node verify.mjs [EXPORT] --key KEY... [--checkpoint FILE]... [--proof FILE]... [--json]
  EXPORT             what \`countersign ledger export\` wrote
  --key KEY          a key that you trust, <name>+<id>+<key>, or a file that holds it
  --checkpoint FILE  a checkpoint that you kept, or that was published
  --proof FILE       what \`countersign ledger prove\` or \`countersign ledger consistency\` wrote
  --json             one JSON object a line`;
const longestLine = 64 * 1024 * 1024;

const sha256 = (...parts) => parts.reduce((sum, part) => sum.update(part), createHash("sha256")).digest();
const fromHex = (text) => Buffer.from(text, "hex");
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isText = (value) => typeof value === "string" && !value.includes("\0") && !/\p{Surrogate}/u.test(value);
const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value) && value.length === 64;
const isHashes = (value) => Array.isArray(value) && value.length <= 108 && value.every(isHash);
const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isId = (value) => typeof value === "string" && value.length === 36 && idForm.test(value);

// Merkle trees (RFC 9162, 2.1).
const leafHash = (leaf) => sha256(Buffer.from([0]), leaf);
const nodeHash = (left, right) => sha256(Buffer.from([1]), left, right);

function growTree() {
  const parts = [];
  let size = 0;
  return {
    append(leaf) {
      let grown = leafHash(leaf);
      for (let left = size; left % 2 === 1; left = (left - 1) / 2) grown = nodeHash(parts.pop(), grown);
      parts.push(grown);
      size += 1;
    },
    size: () => size,
    root: () => (size === 0 ? sha256("") : parts.reduceRight((right, left) => nodeHash(left, right))),
  };
}

const half = (value) => Math.floor(value / 2);

function up(place, last) {
  while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
  return [place, last];
}

function isIncluded({ leaf, index, size, root, hashes }) {
  if (index >= size) return false;
  let [place, last, sum] = [index, size - 1, leafHash(leaf)];
  for (const one of hashes) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      sum = nodeHash(one, sum);
      [place, last] = up(place, last);
    } else sum = nodeHash(sum, one);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && sum.equals(root);
}

function isConsistent({ from, to, hashes }) {
  if (from.size > to.size) return false;
  if (from.size === 0) return hashes.length === 0 && from.root.equals(sha256(""));
  if (from.size === to.size) return hashes.length === 0 && from.root.equals(to.root);
  return hashes.length > 0 && doesContinue({ from, to, hashes });
}

function doesContinue({ from, to, hashes }) {
  let [place, last] = [from.size - 1, to.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  const [first, ...rest] = place === 0 ? [from.root, ...hashes] : hashes;
  let [smaller, larger] = [first, first];
  for (const one of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      [smaller, larger] = [nodeHash(one, smaller), nodeHash(one, larger)];
      [place, last] = up(place, last);
    } else larger = nodeHash(larger, one);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && smaller.equals(from.root) && larger.equals(to.root);
}

// Signed notes and checkpoints (C2SP signed-note and tlog-checkpoint).
function bytesOf(base64, length) {
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 && (length === null || bytes.length === length) ? bytes : null;
}

const isName = (text) => text.length > 0 && text.length <= 255 && /^[\x21-\x2a\x2c-\x7e]+$/.test(text);

function readKey(text) {
  const [name = "", id = "", ...rest] = text.trim().split("+");
  const bytes = bytesOf(rest.join("+"), 33);
  const isKey = isName(name) && bytes !== null && bytes[0] === 1;
  if (!isKey || sha256(`${name}\n`, bytes).subarray(0, 4).toString("hex") !== id)
    throw new Error("a key is not <name>+<id>+<key>");
  const der = Buffer.concat([fromHex("302a300506032b6570032100"), bytes.subarray(1)]);
  return { name, id, key: createPublicKey({ key: der, format: "der", type: "spki" }) };
}

function signatureOf(line) {
  const [dash, name = "", base64 = "", ...rest] = line.split(" ");
  const bytes = bytesOf(base64, null);
  return dash === "—" && isName(name) && rest.length === 0 && bytes !== null && bytes.length >= 5 ? { name, bytes } : null;
}

function readCheckpoint(text, keys) {
  const at = text.lastIndexOf("\n\n");
  const [origin = "", size = "", root = "", ...more] = text.slice(0, Math.max(0, at)).split("\n");
  const bytes = bytesOf(root, 32);
  if (text.length > 65536 || at < 1 || !text.endsWith("\n") || origin === "" || more.length > 0 || bytes === null)
    return "checkpoint_invalid";
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) return "checkpoint_invalid";
  const isPlain = isText(text) && [...text].every((unit) => unit >= " " || unit === "\n");
  const lines = text.slice(at + 2, -1).split("\n");
  const signatures = lines.map(signatureOf);
  if (!isPlain || lines.length > 64 || signatures.includes(null)) return "checkpoint_invalid";
  let isSigned = false;
  for (const { name, bytes: signature } of signatures) {
    const id = signature.subarray(0, 4).toString("hex");
    const known = keys.find((one) => one.name === name && one.name === origin && one.id === id);
    if (known === undefined) continue;
    if (signature.length !== 68 || !verify(null, Buffer.from(text.slice(0, at + 1)), known.key, signature.subarray(4)))
      return "checkpoint_unsigned";
    isSigned = true;
  }
  return isSigned ? { origin, size: Number(size), root: bytes } : "checkpoint_unsigned";
}

// Findings: the words are the same in every verifier.
class Finding extends Error {
  constructor(fault, detail, { tenant = null, line = null, seq = null, entryId = null } = {}) {
    super(detail);
    this.report = { verified: false, tenant, fault, line, seq, entryId, detail };
  }
}

const checkpointWords = {
  checkpoint_invalid: "it is not written as a checkpoint is",
  checkpoint_unsigned: "none of the keys that were given signed it",
  checkpoint_foreign: "it is of another ledger",
};

function believe(text, { keys, line = null, origin = null, tenant = null }) {
  const read = readCheckpoint(text, keys);
  const fault = typeof read === "string" ? read : "checkpoint_foreign";
  if (typeof read !== "string" && (origin === null || read.origin === origin)) return read;
  const where = line === null ? "a checkpoint that was given" : `the checkpoint in line ${line}`;
  throw new Finding(fault, `${where}: ${checkpointWords[fault]}`, { tenant, line });
}

// Lines: each has one spelling, so a line is read and written again, and compared.
const forms = new Map([
  ["export", ["v", "tenant", "origin", "entries"]],
  ["checkpoint", ["text"]],
  ["entry", ["seq", "entryId", "prevHash", "entryHash", "sealHash", "body"]],
  ["inclusion", ["v", "tenant", "entryId", "body", "index", "hashes", "checkpoint"]],
  ["consistency", ["v", "from", "to", "hashes"]],
]);
const texts = ["tenant", "origin", "text", "body", "checkpoint", "from", "to"].map((name) => [name, isText]);
const counts = ["entries", "seq", "index"].map((name) => [name, isCount]);
const hashes = ["prevHash", "entryHash", "sealHash"].map((name) => [name, isHash]);
const isOne = (value) => value === 1;
const checks = new Map([...texts, ...counts, ...hashes, ["entryId", isId], ["hashes", isHashes], ["v", isOne]]);

function readLine(text) {
  let given;
  try {
    given = JSON.parse(text);
  } catch {
    return "line_unreadable";
  }
  const isObject = typeof given === "object" && given !== null && Object.hasOwn(given, "kind");
  const form = isObject && typeof given.kind === "string" ? forms.get(given.kind) : undefined;
  if (form === undefined) return "line_unreadable";
  if (!form.every((name) => Object.hasOwn(given, name) && checks.get(name)(given[name]))) return "line_altered";
  const line = Object.fromEntries(["kind", ...form].map((name) => [name, given[name]]));
  if (line.kind === "export" && !line.origin.endsWith(`/${line.tenant}`)) return "line_altered";
  return JSON.stringify(line) === text ? line : "line_altered";
}

function readKind({ number, text }, { kind, tenant = null, seq = null }) {
  const line = text === null ? "line_unreadable" : readLine(text);
  const at = { tenant, line: number, seq };
  if (line === "line_altered") throw new Finding(line, `line ${number} is not written as an export writes it`, at);
  if (line === "line_unreadable" || line.kind !== kind)
    throw new Finding("line_unreadable", `line ${number} is not one of an export`, at);
  return line;
}

// An entry's bytes: canonical JSON (RFC 8785) with integers only.
function canonical(value, depth) {
  if (typeof value === "string") {
    if (!isText(value)) throw new Error("text");
    return JSON.stringify(value);
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new Error("number");
    return JSON.stringify(value);
  }
  if (typeof value !== "object" || value === null) return String(value);
  if (depth >= 256) throw new Error("depth");
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, depth + 1)).join(",")}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${canonical(name, depth)}:${canonical(value[name], depth + 1)}`).join(",")}}`;
}

function checkBody({ body, entryId }, tenant, at) {
  let head = null;
  try {
    const value = JSON.parse(body);
    const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, "id") && Object.hasOwn(value, "tenant");
    if (isObject && canonical(value, 0) === body) head = value;
  } catch {
    head = null;
  }
  if (head === null) throw new Finding("entry_altered", "the bytes are not canonical JSON", at);
  if (head.id !== entryId || head.tenant !== tenant)
    throw new Finding("entry_replaced", "the bytes are those of another entry or tenant", at);
}

/** SHA-256 over label, length and bytes of the tenant's id, seq, the entry's id, the previous seal's hash and the entry's hash. */
function sealHashOf({ tenant, seq, entryId, prevHash, entryHash }) {
  const [name, numbers] = [Buffer.from(tenant), Buffer.alloc(10)];
  numbers.writeUInt16BE(name.length, 0);
  numbers.writeBigUInt64BE(BigInt(seq), 2);
  const id = fromHex(entryId.replaceAll("-", ""));
  const label = "countersign seal v1\n";
  return sha256(label, numbers.subarray(0, 2), name, numbers.subarray(2), id, prevHash, entryHash);
}

async function* linesOf(path) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest = [];
  let length = 0;
  const take = () => {
    const bytes = Buffer.concat(rest);
    [rest, length] = [[], 0];
    if (bytes.length > longestLine) return null;
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    let start = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
      rest.push(chunk.subarray(start, at));
      yield take();
      start = at + 1;
    }
    rest.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > longestLine) return yield null;
  }
  // The last line ends in a newline like every other; what does not was cut.
  if (length > 0) yield null;
}

async function checkExport(path, { keys, given }) {
  const source = linesOf(path);
  let number = 0;
  const next = async () => {
    const { done, value } = await source.next();
    number += 1;
    return done ? null : { number, text: value };
  };
  const head = readKind((await next()) ?? { number: 1, text: null }, { kind: "export" });
  const { tenant, origin, entries: declared } = head;
  const [tree, roots] = [growTree(), new Map()];
  let [checkpoints, largest, covered, erasures] = [0, 0, 0, 0];
  const add = (text, line) => {
    const { size, root } = believe(text, { keys, line, origin, tenant });
    const known = roots.get(size) ?? [];
    if (!known.some((one) => one.equals(root))) roots.set(size, [...known.slice(0, 1), root]);
    [checkpoints, largest] = [checkpoints + 1, Math.max(largest, size)];
  };
  const checkRoots = () => {
    const size = tree.size();
    if (!roots.has(size)) return;
    const detail = `the entries after ${covered} up to ${size} are not those that the checkpoint of ${size} was signed over`;
    const root = tree.root();
    if (!roots.get(size).every((one) => one.equals(root)))
      throw new Finding("checkpoint_differs", detail, { tenant, seq: covered + 1 });
    covered = size;
  };
  for (const text of given) add(text, null);
  let line = await next();
  for (; line?.text?.startsWith('{"kind":"checkpoint"'); line = await next())
    add(readKind(line, { kind: "checkpoint", tenant }).text, line.number);
  if (roots.size === 0) {
    const detail = "no checkpoint is in it and none was given, so nothing shows that it is whole and was not rewritten";
    throw new Finding("no_checkpoint", detail, { tenant });
  }
  checkRoots();
  let [last, lastHash] = [null, Buffer.alloc(32)];
  while (line !== null) {
    const seq = tree.size() + 1;
    const entry = readKind(line, { kind: "entry", tenant, seq });
    const following = await next();
    const sealHash = checkEntry({ entry, last, lastHash, following, tenant, seq, line: line.number });
    tree.append(fromHex(entry.entryHash));
    checkRoots();
    // Within a text a quotation mark is escaped, so none can feign this.
    if (entry.body.includes('"kind":"erased"')) erasures += 1;
    const at = { tenant, line: line.number, seq, entryId: entry.entryId };
    if (seq > declared)
      throw new Finding("seal_repeated", `the export says that it holds ${declared} entries, and another one follows`, at);
    [last, lastHash, line] = [entry, sealHash, following];
  }
  const entries = tree.size();
  const at = { tenant, seq: entries + 1 };
  if (largest > entries) throw new Finding("tail_cut", `the export ends at ${entries}; a checkpoint covers ${largest}`, at);
  if (declared > entries) throw new Finding("tail_cut", `the export ends at ${entries}; its first line says ${declared}`, at);
  return { verified: true, kind: "export", tenant, entries, covered, checkpoints, erasures };
}

function checkEntry({ entry, last, lastHash, following, tenant, seq, line }) {
  const { entryId } = entry;
  const at = { tenant, line, seq, entryId };
  if (entry.seq > seq)
    throw new Finding("seal_missing", `entry ${seq} is missing; the next one is ${entry.seq}`, { ...at, entryId: null });
  if (entry.seq < seq) throw new Finding("seal_repeated", `entry ${entry.seq} stands where ${seq} should`, at);
  if (sha256(entry.body).toString("hex") !== entry.entryHash)
    throw new Finding("entry_altered", "the bytes do not give the hash beside them", at);
  checkBody(entry, tenant, at);
  const prevHash = fromHex(entry.prevHash);
  const sealHash = sealHashOf({ tenant, seq, entryId, prevHash, entryHash: fromHex(entry.entryHash) });
  const isOwn = sealHash.toString("hex") === entry.sealHash;
  if (!prevHash.equals(lastHash)) {
    const isBefore = last !== null && isFaultOfTheFirst({ first: last, second: entry, isOwn, following });
    const bad = isBefore ? { line: line - 1, seq: seq - 1, entryId: last.entryId } : { line, seq, entryId };
    throw new Finding("chain_broken", `seal ${seq} does not continue seal ${seq - 1}`, { tenant, ...bad });
  }
  if (!isOwn) throw new Finding("seal_altered", "the seal does not give the hash beside it", at);
  return sealHash;
}

/** Two seals do not fit: the first was altered if both follow the same one, or if the second is whole and the third fits it. */
function isFaultOfTheFirst({ first, second, isOwn, following }) {
  if (second.prevHash === first.prevHash) return second.entryId !== first.entryId;
  if (!isOwn) return false;
  if (following === null || following.text === null) return true;
  const third = readLine(following.text);
  return typeof third !== "string" && third.kind === "entry" && third.prevHash === second.sealHash;
}

function checkProof(path, keys) {
  const bytes = readFileSync(path);
  let text = null;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = null;
  }
  const line = text?.endsWith("\n") ? readLine(text.slice(0, -1)) : "line_unreadable";
  if (line === "line_altered") throw new Finding(line, "line 1 is not written as an export writes it", { line: 1 });
  if (line === "line_unreadable") throw new Finding(line, "line 1 is not one of an export", { line: 1 });
  if (line.kind === "inclusion") return checkInclusion(line, keys);
  if (line.kind === "consistency") return checkConsistency(line, keys);
  throw new Finding("line_unreadable", "line 1 is not a proof", { line: 1 });
}

function checkInclusion({ tenant, entryId, body, index, hashes, checkpoint }, keys) {
  const { origin, size, root } = believe(checkpoint, { keys, tenant });
  if (!origin.endsWith(`/${tenant}`))
    throw new Finding("checkpoint_foreign", "a checkpoint that was given: it is of another ledger", { tenant });
  const seq = index + 1;
  const at = { tenant, seq, entryId };
  checkBody({ body, entryId }, tenant, at);
  if (!isIncluded({ leaf: sha256(body), index, size, root, hashes: hashes.map(fromHex) }))
    throw new Finding("proof_invalid", "the hashes do not lead from the entry to the checkpoint", at);
  return { verified: true, kind: "inclusion", tenant, seq, entryId, size };
}

function checkConsistency(line, keys) {
  const from = believe(line.from, { keys });
  const to = believe(line.to, { keys, origin: from.origin });
  if (!isConsistent({ from, to, hashes: line.hashes.map(fromHex) }))
    throw new Finding("proof_invalid", `the hashes do not lead from the tree of ${from.size} to the tree of ${to.size}`);
  return { verified: true, kind: "consistency", origin: from.origin, from: from.size, to: to.size };
}

function wordsOf(report) {
  if (!report.verified) {
    const { tenant, fault, line, seq, entryId, detail } = report;
    const ofLine = line === null ? "" : ` at line ${line}`;
    const place = seq === null ? ofLine : ` at entry ${seq}${entryId === null ? "" : ` (${entryId})`}`;
    return `${tenant ?? "unknown"}: BROKEN${place}\n  ${fault}: ${detail}`;
  }
  if (report.kind === "export") {
    const { tenant, entries, covered, erasures } = report;
    const erased = erasures === 0 ? "" : `; ${erasures} erasures on record`;
    return `${tenant}: verified to ${entries}; covered by a checkpoint to ${covered}, ${entries - covered} after it${erased}`;
  }
  if (report.kind === "inclusion")
    return `${report.tenant}: entry ${report.seq} (${report.entryId}) stands in the tree of ${report.size}`;
  return `${report.origin}: the tree of ${report.to} continues the tree of ${report.from}`;
}

function readArguments(args) {
  const asked = { path: null, keys: [], given: [], proofs: [], json: false };
  const named = {
    "--key": (value) => asked.keys.push(readKey(value.includes("+") ? value : readFileSync(value, "utf8"))),
    "--checkpoint": (value) => asked.given.push(readFileSync(value, "utf8")),
    "--proof": (value) => asked.proofs.push(value),
  };
  const rest = [...args];
  while (rest.length > 0) {
    const name = rest.shift();
    if (name === "--json") asked.json = true;
    else if (Object.hasOwn(named, name) && rest.length > 0) named[name](rest.shift());
    else if (!name.startsWith("--") && asked.path === null) asked.path = name;
    else return null;
  }
  return asked.keys.length > 0 && (asked.path !== null || asked.proofs.length > 0) ? asked : null;
}

async function main(args) {
  let asked;
  try {
    asked = readArguments(args);
  } catch (thrown) {
    console.error(thrown.message);
    return 2;
  }
  if (asked === null) {
    console.error(usage);
    return 2;
  }
  const { path, keys, given, proofs, json } = asked;
  const work = [
    ...(path === null ? [] : [() => checkExport(path, { keys, given })]),
    ...proofs.map((one) => () => checkProof(one, keys)),
  ];
  let isVerified = true;
  for (const check of work) {
    let report;
    try {
      report = await check();
    } catch (thrown) {
      if (!(thrown instanceof Finding)) {
        console.error(thrown.message);
        return 2;
      }
      report = thrown.report;
    }
    isVerified &&= report.verified;
    console.log(json ? JSON.stringify(report) : wordsOf(report));
  }
  return isVerified ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
