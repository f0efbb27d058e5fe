import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPrivacyFiles } from "../../src/cli/privacy-place.ts";
import { readExemptions, refuseUnsigned } from "../../src/guard/privacy/exemptions.ts";
import { readPublicKeys, signedUnder } from "../../src/store/signature.ts";
import { run } from "../start/installation.ts";
import { putProject, source } from "./check-project.ts";
import { runJson } from "./command.ts";

const patience = { timeout: 60_000 };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-privacy-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const local = (more = "") => `import { defineDeciding } from ${source("define/deciding")};
import { compatible } from ${source("gateway/providers/compatible")};
const server = { name: "local", server: "ollama", secret: null, constrain: "schema", boundary: "off" } as const;
export default defineDeciding({ providers: [compatible({ ...server, baseUrl: "http://127.0.0.1:11434/v1"${more} })], records: [], hiddenValues: null });
`;

describe("countersign privacy scan", () => {
  const text = "Dear desk,\nwrite to ada.moll@corvane.example or pay with 4539 1488 0343 6467.\n";

  it("says what stands where, with the values masked, and ends with 1", patience, async () => {
    await writeFile(join(folder, "mail.txt"), text);
    const { code, stdout } = await run(["privacy", "scan", join(folder, "mail.txt")]);
    expect(code).toBe(1);
    expect(stdout).toContain("mail.txt:2:10 email (email) ***.****@*******.*******");
    expect(stdout).toContain("**** **** **** ****");
    expect(stdout).not.toMatch(/corvane|4539/);
  });

  it("shows the values where that is asked for, as JSON too", patience, async () => {
    await writeFile(join(folder, "mail.txt"), text);
    const { json } = await runJson(["privacy", "scan", join(folder, "mail.txt"), "--show"]);
    expect(json).toMatchObject({ counts: { email: 1, card: 1 } });
    expect(json["findings"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ class: "email", line: 2, column: 10, value: "ada.moll@corvane.example" }),
      ]),
    );
  });

  it("says where it finds nothing that this proves nothing, and refuses what it cannot read", patience, async () => {
    await writeFile(join(folder, "empty.txt"), "the lamp is broken\n");
    await writeFile(join(folder, "bytes.bin"), Buffer.from([0xff, 0xfe, 0x00]));
    const nothing = await run(["privacy", "scan", join(folder, "empty.txt")]);
    expect([nothing.code, nothing.stdout]).toEqual([0, "nothing was found; that is no proof that nothing is there\n"]);
    for (const name of ["bytes.bin", "missing.txt"])
      expect((await runJson(["privacy", "scan", join(folder, name)])).json.error?.code, name).toBe("bad_request");
  });
});

describe("countersign privacy allow-off", () => {
  const allow = (...more: readonly string[]) =>
    runJson(["privacy", "allow-off", "local", "--project", join(folder, "p"), "--directory", join(folder, "d"), ...more]);
  const reason = ["--reason", "the model runs in the same room"];

  it("writes a reason that the decider of this installation believes, for this provider at this host", patience, async () => {
    await putProject(join(folder, "p"), { "decide.ts": local() });
    const { code, json } = await allow(...reason, "--by", "Ada Moll");
    expect(code).toBe(0);
    expect(json).toMatchObject({ provider: "local", host: "127.0.0.1:11434", by: "Ada Moll", reason: reason[1] });
    const { privacyKeys } = JSON.parse(await readFile(join(folder, "d", "secrets", "settings.json"), "utf8"));
    const files = await readPrivacyFiles(join(folder, "p"), [privacyKeys.open]);
    const isSigned = signedUnder(readPublicKeys(files.publicKeys));
    const exemptions = readExemptions(files.exemptions);
    const check = (host: string) =>
      refuseUnsigned({ project: "sample", providers: [{ name: "local", host }], exemptions, isSigned });
    expect(() => check("127.0.0.1:11434")).not.toThrow();
    expect(() => check("127.0.0.1:11435")).toThrow(expect.objectContaining({ code: "boundary_unsigned" }));
    expect(JSON.stringify(files)).not.toContain(privacyKeys.secret);
    // Signed again, the new reason stands in the place of the old one.
    await allow("--reason", "the model has moved to the cellar");
    const again = readExemptions((await readPrivacyFiles(join(folder, "p"), [])).exemptions);
    expect(again.exemptions.map((one) => one.reason)).toEqual(["the model has moved to the cellar"]);
  });

  it("takes no provider that is behind the boundary, and no reason that is hardly one", patience, async () => {
    await putProject(join(folder, "p"), { "decide.ts": local().replace(', boundary: "off"', "") });
    expect((await allow(...reason)).json.error?.code).toBe("not_found");
    await putProject(join(folder, "p"), { "decide.ts": local() });
    expect((await allow("--reason", "because")).json.error?.code).toBe("bad_request");
  });
});

describe("countersign check", () => {
  const findings = async () => {
    const { code, json } = await runJson(["check", "--project", join(folder, "p")]);
    return { code, messages: (json["findings"] as readonly { message: string }[]).map(({ message }) => message) };
  };

  it.each([
    [
      "rules that cannot be read",
      { "privacy.json": '{"version":1,"rules":[{"class":"shoe"}]}' },
      /privacy policy cannot be used: at `\/rules\/0/,
    ],
    ["rules that are no JSON", { "privacy.json": "{" }, /`privacy\.json` of the project is no JSON/],
    ["a dictionary of nobody's", { "privacy-terms/Acme Ltd.txt": "x" }, /no dictionary; name it after a tenant/],
    ["a provider without a signed reason", { "decide.ts": local() }, /`local` is sent text as it is/],
  ])("finds %s", patience, async (_what, files, message) => {
    await putProject(join(folder, "p"), files);
    const { code, messages } = await findings();
    expect(code).toBe(1);
    expect(messages.join("\n")).toMatch(message);
  });
});

describe("a tenant's dictionary", () => {
  it("has one value a line, with a class where one stands before it", async () => {
    await putProject(join(folder, "p"), {
      "privacy-terms/acme.txt": "# what nobody may hear of\nProject Nightjar\r\nperson: Ada Moll\n\nhttp://x: y\n email :  \n",
    });
    const { dictionaries } = await readPrivacyFiles(join(folder, "p"), []);
    expect([...dictionaries]).toEqual([
      [
        "acme",
        [
          { value: "Project Nightjar", class: "term" },
          { value: "Ada Moll", class: "person" },
          { value: "http://x: y", class: "term" },
        ],
      ],
    ]);
  });
});
