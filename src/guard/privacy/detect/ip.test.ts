import { isIPv4, isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";
import { groupsOf, isV4 } from "./ip.ts";

const addressesIn = (text: string): string[] =>
  findStructured(text)
    .filter((finding) => finding.class === "ip")
    .map(({ start, end }) => text.slice(start, end));

describe("IP addresses", () => {
  it.each([
    ["from 203.0.113.7.", "203.0.113.7"],
    ["203.0.113.7:8080", "203.0.113.7"],
    ["203.0.113.0/24", "203.0.113.0"],
    ["client_ip = |203.0.113.7|", "203.0.113.7"],
    ["http://203.0.113.7/x", "203.0.113.7"],
    ["[2001:db8::8a2e:370:7334]:443", "2001:db8::8a2e:370:7334"],
    ["at 2001:DB8:0:0:8:800:200C:417A.", "2001:DB8:0:0:8:800:200C:417A"],
    ["::ffff:203.0.113.7", "::ffff:203.0.113.7"],
    ["fe80::1%eth0", "fe80::1"],
  ])("finds the address in: %s", (text, address) => {
    expect(addressesIn(text)).toEqual([address]);
  });

  it.each([
    "1.1.1.1.1",
    "1.2.3",
    "version 1.2.3.4",
    "v1.2.3.4",
    "Chrome/120.0.0.0",
    "256.1.1.1",
    "01.2.3.4",
    "127.0.0.1",
    "::1",
    "std::vector",
    "a::b",
    "::",
    "12:34:56",
    "00:1a:2b:3c:4d:5e",
    "1:2:3:4:5:6:7:8:9",
  ])("leaves %s", (text) => {
    expect(addressesIn(text)).toEqual([]);
  });

  it("takes two spellings of IPv6 for one address", () => {
    const found = findStructured("2001:db8::1 and 2001:0DB8:0:0:0:0:0:1");
    expect(new Set(found.map(({ canonical }) => canonical)).size).toBe(1);
  });

  it("reads addresses as node:net does", () => {
    const v4ish = fc.array(fc.oneof(fc.nat(300).map(String), fc.constantFrom("", "00", "1e1")), { minLength: 3, maxLength: 5 });
    const v6ish = fc.array(fc.constantFrom("", "0", "1", "ffff", "12345", "g", "::", "1.2.3.4"), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          v4ish.map((parts) => parts.join(".")),
        ),
        (text) => isV4(text) === isIPv4(text),
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV6(),
          v6ish.map((parts) => parts.join(":")),
        ),
        (text) => {
          // Nobody's address is read by Node, but it is none that we look for.
          fc.pre(text !== "::");
          expect(groupsOf(text) !== null).toBe(isIPv6(text));
        },
      ),
      { numRuns: 500 },
    );
  });
});
