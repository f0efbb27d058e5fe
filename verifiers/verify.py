#!/usr/bin/env python3
"""Checks exports and proofs of a Countersign ledger, offline.

It needs Python 3.8 or newer and its standard library; docs/proofs.md says what it checks and where each form is described. Ed25519 is written
out from RFC 8032, so a signature takes some milliseconds. Exit code 0: everything holds; 1: something does not, and the first such thing is
named; 2: wrong use.
"""
import base64
import hashlib
import json
import re
import sys

USAGE = """python3 verify.py [EXPORT] --key KEY... [--checkpoint FILE]... [--proof FILE]... [--json]
  EXPORT             what `countersign ledger export` wrote
  --key KEY          a key that you trust, <name>+<id>+<key>, or a file that holds it
  --checkpoint FILE  a checkpoint that you kept, or that was published
  --proof FILE       what `countersign ledger prove` or `countersign ledger consistency` wrote
  --json             one JSON object a line"""
LONGEST_LINE = 64 * 1024 * 1024
LARGEST = 2**53 - 1
DEEPEST = 256


def sha256(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.digest()


# Ed25519 (RFC 8032, 5.1), points in extended coordinates (5.1.4).
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(one, other):
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    total = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT % P
    if (x * x - square) % P != 0:
        return None
    return P - x if x & 1 != sign else x


def decode_point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def encode_point(point):
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def is_signed(key, text, signature):
    point = decode_point(key)
    s = int.from_bytes(signature[32:], "little")
    if point is None or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % ORDER
    x, y, z, t = point
    opposite = (P - x, y, z, P - t)
    return encode_point(add(times(s, BASE), times(k, opposite))) == signature[:32]


# Merkle trees (RFC 9162, 2.1).
def leaf_hash(leaf):
    return sha256(b"\x00", leaf)


def node_hash(left, right):
    return sha256(b"\x01", left, right)


class Tree:
    """A tree that grows at its right end; one hash is kept for each full part."""

    def __init__(self):
        self.parts = []
        self.size = 0

    def append(self, leaf):
        grown = leaf_hash(leaf)
        left = self.size
        while left % 2 == 1:
            grown = node_hash(self.parts.pop(), grown)
            left //= 2
        self.parts.append(grown)
        self.size += 1

    def root(self):
        if not self.parts:
            return sha256()
        root = self.parts[-1]
        for part in reversed(self.parts[:-1]):
            root = node_hash(part, root)
        return root


def up(place, last):
    while place % 2 == 0 and place != 0:
        place, last = place // 2, last // 2
    return place, last


def is_included(leaf, index, size, root, hashes):
    if index >= size:
        return False
    place, last, total = index, size - 1, leaf_hash(leaf)
    for one in hashes:
        if last == 0:
            return False
        if place % 2 == 1 or place == last:
            total = node_hash(one, total)
            place, last = up(place, last)
        else:
            total = node_hash(total, one)
        place, last = place // 2, last // 2
    return last == 0 and total == root


def is_consistent(old, new, hashes):
    (old_size, old_root), (new_size, new_root) = old, new
    if old_size > new_size:
        return False
    if old_size == 0:
        return not hashes and old_root == sha256()
    if old_size == new_size:
        return not hashes and old_root == new_root
    if not hashes:
        return False
    place, last = old_size - 1, new_size - 1
    while place % 2 == 1:
        place, last = place // 2, last // 2
    path = [old_root] + hashes if place == 0 else hashes
    smaller = larger = path[0]
    for one in path[1:]:
        if last == 0:
            return False
        if place % 2 == 1 or place == last:
            smaller, larger = node_hash(one, smaller), node_hash(one, larger)
            place, last = up(place, last)
        else:
            larger = node_hash(larger, one)
        place, last = place // 2, last // 2
    return last == 0 and smaller == old_root and larger == new_root


# Values.
SURROGATE = re.compile("[\ud800-\udfff]")
ID_FORM = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
HASH_FORM = re.compile(r"[0-9a-f]{64}")
NAME_FORM = re.compile(r"[\x21-\x2a\x2c-\x7e]{1,255}")
SIZE_FORM = re.compile(r"0|[1-9][0-9]{0,15}")


def is_text(value):
    return isinstance(value, str) and "\0" not in value and SURROGATE.search(value) is None


def is_count(value):
    return type(value) is int and 0 <= value <= LARGEST


def is_hash(value):
    return isinstance(value, str) and HASH_FORM.fullmatch(value) is not None


def is_id(value):
    return isinstance(value, str) and ID_FORM.fullmatch(value) is not None


def is_hashes(value):
    return isinstance(value, list) and len(value) <= 108 and all(is_hash(one) for one in value)


def bytes_of(text, length):
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text and length in (None, len(data)) else None


def refuse_constant(name):
    raise ValueError(name)


def read_integer(text):
    # Longer ones are not safe integers, and Python refuses very long ones.
    return int(text) if len(text) <= 20 else float("inf")


def read_json(text):
    return json.loads(text, parse_constant=refuse_constant, parse_int=read_integer)


def write_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Finding(Exception):
    """What is wrong, and where; the words are the same in every verifier."""

    def __init__(self, fault, detail, tenant=None, line=None, seq=None, entry_id=None):
        super().__init__(detail)
        self.report = {
            "verified": False,
            "tenant": tenant,
            "fault": fault,
            "line": line,
            "seq": seq,
            "entryId": entry_id,
            "detail": detail,
        }


# Signed notes and checkpoints (C2SP signed-note and tlog-checkpoint).
def read_key(text):
    name, key_id, rest = (text.strip().split("+", 2) + ["", ""])[:3]
    data = bytes_of(rest, 33)
    is_key = NAME_FORM.fullmatch(name) is not None and data is not None and data[0] == 1
    if not is_key or sha256(name.encode() + b"\n", data)[:4].hex() != key_id:
        raise ValueError("a key is not <name>+<id>+<key>")
    return name, key_id, data[1:]


def signature_of(line):
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != "\u2014" or NAME_FORM.fullmatch(parts[1]) is None:
        return None
    data = bytes_of(parts[2], None)
    return None if data is None or len(data) < 5 else (parts[1], data)


def parts_of_checkpoint(text):
    at = text.rfind("\n\n")
    head = text[: max(0, at)].split("\n")
    if len(text.encode("utf-16-le", "surrogatepass")) > 2 * 65536 or at < 1 or not text.endswith("\n") or len(head) != 3:
        return None
    origin, size, root = head[0], head[1], bytes_of(head[2], 32)
    if origin == "" or root is None or SIZE_FORM.fullmatch(size) is None or int(size) > LARGEST:
        return None
    lines = text[at + 2 : -1].split("\n")
    signatures = [signature_of(line) for line in lines]
    if not is_text(text) or any(unit < " " and unit != "\n" for unit in text) or len(lines) > 64 or None in signatures:
        return None
    return origin, int(size), root, text[: at + 1].encode(), signatures


def read_checkpoint(text, keys):
    parts = parts_of_checkpoint(text)
    if parts is None:
        return "checkpoint_invalid"
    origin, size, root, signed, signatures = parts
    found = False
    for name, data in signatures:
        known = [key for key in keys if key[0] == name == origin and key[1] == data[:4].hex()]
        if not known:
            continue
        if len(data) != 68 or not is_signed(known[0][2], signed, data[4:]):
            return "checkpoint_unsigned"
        found = True
    return (origin, size, root) if found else "checkpoint_unsigned"


CHECKPOINT_WORDS = {
    "checkpoint_invalid": "it is not written as a checkpoint is",
    "checkpoint_unsigned": "none of the keys that were given signed it",
    "checkpoint_foreign": "it is of another ledger",
}


def believe(text, keys, line=None, origin=None, tenant=None):
    read = read_checkpoint(text, keys)
    if not isinstance(read, str) and origin in (None, read[0]):
        return read
    fault = read if isinstance(read, str) else "checkpoint_foreign"
    where = "a checkpoint that was given" if line is None else f"the checkpoint in line {line}"
    raise Finding(fault, f"{where}: {CHECKPOINT_WORDS[fault]}", tenant=tenant, line=line)


# Lines: each has one spelling, so a line is read and written again, and compared.
FORMS = {
    "export": ["v", "tenant", "origin", "entries"],
    "checkpoint": ["text"],
    "entry": ["seq", "entryId", "prevHash", "entryHash", "sealHash", "body"],
    "inclusion": ["v", "tenant", "entryId", "body", "index", "hashes", "checkpoint"],
    "consistency": ["v", "from", "to", "hashes"],
}
CHECKS = {name: is_text for name in ("tenant", "origin", "text", "body", "checkpoint", "from", "to")}
CHECKS.update({name: is_count for name in ("entries", "seq", "index")})
CHECKS.update({name: is_hash for name in ("prevHash", "entryHash", "sealHash")})
CHECKS.update({"entryId": is_id, "hashes": is_hashes, "v": lambda value: type(value) is int and value == 1})


def read_line(text):
    try:
        given = read_json(text)
    except (ValueError, RecursionError):
        return "line_unreadable"
    kind = given.get("kind") if isinstance(given, dict) else None
    form = FORMS.get(kind) if isinstance(kind, str) else None
    if form is None:
        return "line_unreadable"
    if not all(name in given and CHECKS[name](given[name]) for name in form):
        return "line_altered"
    line = {name: given[name] for name in ["kind"] + form}
    if kind == "export" and not line["origin"].endswith("/" + line["tenant"]):
        return "line_altered"
    return line if write_json(line) == text else "line_altered"


def read_kind(number, text, kind, tenant=None, seq=None):
    line = "line_unreadable" if text is None else read_line(text)
    if line == "line_altered":
        raise Finding(line, f"line {number} is not written as an export writes it", tenant=tenant, line=number, seq=seq)
    if line == "line_unreadable" or line["kind"] != kind:
        raise Finding("line_unreadable", f"line {number} is not one of an export", tenant=tenant, line=number, seq=seq)
    return line


# An entry's bytes: canonical JSON (RFC 8785) with integers only.
def canonical(value, depth):
    if isinstance(value, str):
        if not is_text(value):
            raise ValueError("text")
        return write_json(value)
    if value is None or isinstance(value, bool):
        return write_json(value)
    if isinstance(value, (int, float)):
        if type(value) is not int or abs(value) > LARGEST:
            raise ValueError("number")
        return str(value)
    if depth >= DEEPEST:
        raise ValueError("depth")
    if isinstance(value, list):
        return "[" + ",".join(canonical(one, depth + 1) for one in value) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(canonical(name, depth) + ":" + canonical(value[name], depth + 1) for name in names) + "}"


def check_body(body, entry_id, tenant, at):
    head = None
    try:
        value = read_json(body)
        if isinstance(value, dict) and "id" in value and "tenant" in value and canonical(value, 0) == body:
            head = value
    except (ValueError, RecursionError):
        head = None
    if head is None:
        raise Finding("entry_altered", "the bytes are not canonical JSON", **at)
    if head["id"] != entry_id or head["tenant"] != tenant:
        raise Finding("entry_replaced", "the bytes are those of another entry or tenant", **at)


def seal_hash_of(tenant, seq, entry_id, prev_hash, entry_hash):
    """SHA-256 over label, length and bytes of the tenant's id, seq, the entry's id, the previous seal's hash and the entry's hash."""
    name = tenant.encode()
    head = b"countersign seal v1\n" + len(name).to_bytes(2, "big") + name + seq.to_bytes(8, "big")
    return sha256(head, bytes.fromhex(entry_id.replace("-", "")), prev_hash, entry_hash)


def lines_of(path):
    with open(path, "rb") as file:
        while True:
            data = file.readline(LONGEST_LINE + 2)
            if data == b"":
                return
            # The last line ends in a newline like every other; what does not was cut, or is too long.
            if not data.endswith(b"\n"):
                yield None
                return
            try:
                yield data[:-1].decode("utf-8")
            except UnicodeDecodeError:
                yield None


class Export:
    """One pass over an export: its checkpoints, then its entries."""

    def __init__(self, path, keys):
        self.keys = keys
        self.source = lines_of(path)
        self.number = 0
        self.tree = Tree()
        self.roots = {}
        self.checkpoints = self.largest = self.covered = self.erasures = 0
        self.last = None
        self.last_hash = bytes(32)

    def next(self):
        self.number += 1
        try:
            return self.number, next(self.source)
        except StopIteration:
            return None

    def add(self, text, line):
        _, size, root = believe(text, self.keys, line=line, origin=self.origin, tenant=self.tenant)
        known = self.roots.setdefault(size, [])
        if root not in known:
            self.roots[size] = known[:1] + [root]
        self.checkpoints += 1
        self.largest = max(self.largest, size)

    def check(self, given):
        head = read_kind(*(self.next() or (1, None)), "export")
        self.tenant, self.origin, declared = head["tenant"], head["origin"], head["entries"]
        for text in given:
            self.add(text, None)
        line = self.next()
        while line is not None and line[1] is not None and line[1].startswith('{"kind":"checkpoint"'):
            self.add(read_kind(*line, "checkpoint", self.tenant)["text"], line[0])
            line = self.next()
        if not self.roots:
            detail = "no checkpoint is in it and none was given, so nothing shows that it is whole and was not rewritten"
            raise Finding("no_checkpoint", detail, tenant=self.tenant)
        self.check_roots()
        while line is not None:
            line = self.check_line(line, declared)
        return self.end(declared)

    def check_line(self, line, declared):
        seq = self.tree.size + 1
        entry = read_kind(*line, "entry", self.tenant, seq)
        following = self.next()
        seal_hash = self.check_entry(entry, seq, line[0], following)
        self.tree.append(bytes.fromhex(entry["entryHash"]))
        self.check_roots()
        # Within a text a quotation mark is escaped, so none can feign this.
        if '"kind":"erased"' in entry["body"]:
            self.erasures += 1
        if seq > declared:
            detail = f"the export says that it holds {declared} entries, and another one follows"
            raise Finding("seal_repeated", detail, tenant=self.tenant, line=line[0], seq=seq, entry_id=entry["entryId"])
        self.last, self.last_hash = entry, seal_hash
        return following

    def check_roots(self):
        size = self.tree.size
        if size not in self.roots:
            return
        root = self.tree.root()
        if any(one != root for one in self.roots[size]):
            detail = f"the entries after {self.covered} up to {size} are not those that the checkpoint of {size} was signed over"
            raise Finding("checkpoint_differs", detail, tenant=self.tenant, seq=self.covered + 1)
        self.covered = size

    def check_entry(self, entry, seq, line, following):
        tenant, entry_id = self.tenant, entry["entryId"]
        at = {"tenant": tenant, "line": line, "seq": seq, "entry_id": entry_id}
        if entry["seq"] > seq:
            detail = f"entry {seq} is missing; the next one is {entry['seq']}"
            raise Finding("seal_missing", detail, **{**at, "entry_id": None})
        if entry["seq"] < seq:
            raise Finding("seal_repeated", f"entry {entry['seq']} stands where {seq} should", **at)
        if sha256(entry["body"].encode()).hex() != entry["entryHash"]:
            raise Finding("entry_altered", "the bytes do not give the hash beside them", **at)
        check_body(entry["body"], entry_id, tenant, at)
        prev_hash = bytes.fromhex(entry["prevHash"])
        seal_hash = seal_hash_of(tenant, seq, entry_id, prev_hash, bytes.fromhex(entry["entryHash"]))
        is_own = seal_hash.hex() == entry["sealHash"]
        if prev_hash != self.last_hash:
            if self.last is not None and is_fault_of_the_first(self.last, entry, is_own, following):
                at = {**at, "line": line - 1, "seq": seq - 1, "entry_id": self.last["entryId"]}
            raise Finding("chain_broken", f"seal {seq} does not continue seal {seq - 1}", **at)
        if not is_own:
            raise Finding("seal_altered", "the seal does not give the hash beside it", **at)
        return seal_hash

    def end(self, declared):
        entries = self.tree.size
        at = {"tenant": self.tenant, "seq": entries + 1}
        if self.largest > entries:
            raise Finding("tail_cut", f"the export ends at {entries}; a checkpoint covers {self.largest}", **at)
        if declared > entries:
            raise Finding("tail_cut", f"the export ends at {entries}; its first line says {declared}", **at)
        return {
            "verified": True,
            "kind": "export",
            "tenant": self.tenant,
            "entries": entries,
            "covered": self.covered,
            "checkpoints": self.checkpoints,
            "erasures": self.erasures,
        }


def is_fault_of_the_first(first, second, is_own, following):
    """Two seals do not fit: the first was altered if both follow the same one, or if the second is whole and the third fits it."""
    if second["prevHash"] == first["prevHash"]:
        return second["entryId"] != first["entryId"]
    if not is_own:
        return False
    if following is None or following[1] is None:
        return True
    third = read_line(following[1])
    return not isinstance(third, str) and third["kind"] == "entry" and third["prevHash"] == second["sealHash"]


def check_proof(path, keys):
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    line = read_line(text[:-1]) if text.endswith("\n") else "line_unreadable"
    if line == "line_altered":
        raise Finding(line, "line 1 is not written as an export writes it", line=1)
    if line == "line_unreadable":
        raise Finding(line, "line 1 is not one of an export", line=1)
    if line["kind"] == "inclusion":
        return check_inclusion(line, keys)
    if line["kind"] == "consistency":
        return check_consistency(line, keys)
    raise Finding("line_unreadable", "line 1 is not a proof", line=1)


def check_inclusion(line, keys):
    tenant, entry_id, body, seq = line["tenant"], line["entryId"], line["body"], line["index"] + 1
    origin, size, root = believe(line["checkpoint"], keys, tenant=tenant)
    if not origin.endswith("/" + tenant):
        raise Finding("checkpoint_foreign", "a checkpoint that was given: it is of another ledger", tenant=tenant)
    at = {"tenant": tenant, "seq": seq, "entry_id": entry_id}
    check_body(body, entry_id, tenant, at)
    hashes = [bytes.fromhex(one) for one in line["hashes"]]
    if not is_included(sha256(body.encode()), line["index"], size, root, hashes):
        raise Finding("proof_invalid", "the hashes do not lead from the entry to the checkpoint", **at)
    return {"verified": True, "kind": "inclusion", "tenant": tenant, "seq": seq, "entryId": entry_id, "size": size}


def check_consistency(line, keys):
    origin, size, root = believe(line["from"], keys)
    _, new_size, new_root = believe(line["to"], keys, origin=origin)
    hashes = [bytes.fromhex(one) for one in line["hashes"]]
    if not is_consistent((size, root), (new_size, new_root), hashes):
        raise Finding("proof_invalid", f"the hashes do not lead from the tree of {size} to the tree of {new_size}")
    return {"verified": True, "kind": "consistency", "origin": origin, "from": size, "to": new_size}


def words_of(report):
    if not report["verified"]:
        place = "" if report["line"] is None else f" at line {report['line']}"
        if report["seq"] is not None:
            entry_id = report["entryId"]
            place = f" at entry {report['seq']}" + ("" if entry_id is None else f" ({entry_id})")
        return f"{report['tenant'] or 'unknown'}: BROKEN{place}\n  {report['fault']}: {report['detail']}"
    if report["kind"] == "export":
        entries, covered = report["entries"], report["covered"]
        erased = "" if report["erasures"] == 0 else f"; {report['erasures']} erasures on record"
        return f"{report['tenant']}: verified to {entries}; covered by a checkpoint to {covered}, {entries - covered} after it{erased}"
    if report["kind"] == "inclusion":
        return f"{report['tenant']}: entry {report['seq']} ({report['entryId']}) stands in the tree of {report['size']}"
    return f"{report['origin']}: the tree of {report['to']} continues the tree of {report['from']}"


def read_text(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def read_arguments(args):
    asked = {"path": None, "keys": [], "given": [], "proofs": [], "json": False}
    rest = list(args)
    while rest:
        name = rest.pop(0)
        if name == "--json":
            asked["json"] = True
        elif not name.startswith("--") and asked["path"] is None:
            asked["path"] = name
        elif name not in ("--key", "--checkpoint", "--proof") or not rest:
            return None
        elif name == "--key":
            value = rest.pop(0)
            asked["keys"].append(read_key(value if "+" in value else read_text(value)))
        elif name == "--checkpoint":
            asked["given"].append(read_text(rest.pop(0)))
        else:
            asked["proofs"].append(rest.pop(0))
    return asked if asked["keys"] and (asked["path"] is not None or asked["proofs"]) else None


def main(args):
    try:
        asked = read_arguments(args)
    except (OSError, ValueError) as thrown:
        print(thrown, file=sys.stderr)
        return 2
    if asked is None:
        print(USAGE, file=sys.stderr)
        return 2
    keys = asked["keys"]
    work = [] if asked["path"] is None else [lambda: Export(asked["path"], keys).check(asked["given"])]
    work += [lambda path=path: check_proof(path, keys) for path in asked["proofs"]]
    verified = True
    for check in work:
        try:
            report = check()
        except Finding as found:
            report = found.report
        except OSError as thrown:
            print(thrown, file=sys.stderr)
            return 2
        verified = verified and report["verified"]
        print(write_json(report) if asked["json"] else words_of(report))
    return 0 if verified else 1


if __name__ == "__main__":
    # What it prints is UTF-8 wherever it runs.
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
