/**
 * The demo's model. It is a script and says so wherever its replies show. Most of its replies are read out of the prompt by plain rules
 * (`reading/`), so that they change with what it was shown; it is wrong, unsure and malformed by hand where the demo needs to show what
 * happens then.
 */
import type { ScriptLine } from "countersign/testing";
import { readAnswer } from "./reading/answer.ts";
import { readPick } from "./reading/intake.ts";
import { readReplacement } from "./reading/replacement.ts";
import { readSlowness } from "./reading/slowness.ts";

const intake = /^You do the intake/;
const answers = /^You answer questions/;
const replacements = /^You prepare device replacements/;
const slowness = /^You find out why an employee's laptop is slow/;

const policy = (position: number) => `passage:device-policy:3.1:${position}`;
const slowPolicy = (position: number) => `passage:slow-computers:1.0:${position}`;
const measurement = (device: string) => `diagnostics.ofDevice:${device}`;
const deviceRecord = (id: string) => `devices.ofPerson:${id}`;

/** Where several lines match, the first one speaks. */
export const script: readonly ScriptLine[] = [
  // Malformed at first, then good.
  {
    ...answer(/report a phishing/i, 94, [
      ["Report a phishing mail with the button in the mail program.", "passage:security-incidents:2.5:1"],
    ]),
    replies: [
      "Use the report button in your mail program.",
      answerText(94, [["Report a phishing mail with the button in the mail program.", "passage:security-incidents:2.5:1"]]),
    ],
  },
  // The passages that were found do not answer it, and the model says so.
  answer(/private printer/i, 85, []),
  // Wrong: a passage that does not exist, a number that its passage does not hold, a colleague's device.
  answer(/monitor for home/i, 97, [["You receive two monitors for home.", "passage:home-office:1.6:9"]]),
  answer(/how many hours/i, 96, [["Report a lost phone within 48 hours.", "passage:security-incidents:2.5:3"]]),
  answer(/laptop like mine/i, 88, [["The same {{device.model}} has the tag LT-2051.", deviceRecord("dev-2004")]]),
  // Replies that never fit, each in its own way.
  malformed(/cable of my mouse/i, "Sure, I have ordered a new mouse for you."),
  malformed(
    /keys of my keyboard/i,
    `\`\`\`json\n${choice("dev-2002", "defective", true, 2, "A defective keyboard is replaced.", 90)}\n\`\`\``,
  ),
  malformed(
    /headset crackles/i,
    choice("dev-2003", "defective", true, 2, "A defective headset is replaced.", 90).replace("90", '"90"'),
  ),
  malformed(
    /too slow/i,
    choice("dev-2004", "worn_out", true, 3, "The laptop is old enough.", 90).replace("{", '{"urgent":true,'),
  ),
  malformed(
    /glass of my phone/i,
    choice("dev-2005", "defective", false, 4, "Under warranty.", 90).replace("{", '{"device":"dev-2004",'),
  ),
  // Unsure: two monitors, and no word of what is wrong.
  replace(
    /one of my screens/i,
    choice("dev-2006", "worn_out", true, 3, "The request does not say which of the two monitors.", 15),
  ),
  // Wrong: a keyboard of five months that is said to be old enough, and a device that somebody else holds.
  replace(/keyboard is worn out/i, choice("dev-2002", "worn_out", true, 2, "A worn-out keyboard is replaced.", 97)),
  replace(/LT-2051/, choice("dev-2051", "worn_out", true, 3, "The laptop is older than 36 months.", 95)),
  // A loop: what comes next depends on what was found.
  ...looks({
    when: /so slow\?$/i,
    steps: [
      step("diagnostics", { device: "dev-2004" }),
      step("history", { device: "dev-2004", months: 36 }),
      step("policy", { words: "laptop heat fan cleaned" }),
      finding("heat", 91, [
        ["The laptop lowers its own speed at {{diagnostics_1.temperature_c}} degrees.", measurement("dev-2004")],
        ["Its fan was last cleaned on {{history_2.happened_on}}.", "history.ofDevice:evt-2"],
        ["A fan is cleaned every 24 months at the latest, at the depot.", slowPolicy(2)],
      ]),
    ],
  }),
  ...looks({
    when: /save a file/i,
    steps: [
      step("diagnostics", { device: "dev-2101" }),
      finding("disk_full", 96, [
        ["Only {{diagnostics_1.disk_free_percent}} percent of the disk is free.", measurement("dev-2101")],
      ]),
    ],
  }),
  // Malformed at the second step, then good; the errors do not pile up.
  ...looks({
    when: /without its charger/i,
    steps: [
      step("diagnostics", { device: "dev-2051" }),
      [step("history", { device: "dev-2051", months: 600 }), step("history", { device: "dev-2051", months: 60 })],
      step("policy", { words: "battery capacity exchanged" }),
      finding("battery", 88, [
        ["The battery has {{diagnostics_1.battery_health_percent}} percent of its capacity.", measurement("dev-2051")],
        ["A battery with less than 60 percent of its capacity is exchanged at the depot.", slowPolicy(3)],
      ]),
    ],
  }),
  ...looks({
    when: /on Mondays/i,
    steps: [
      step("diagnostics", { device: "dev-2061" }),
      step("history", { device: "dev-2061", months: 12 }),
      finding("unknown", 75, []),
    ],
  }),
  // Wrong: the disk is not full. Too soon: nothing was looked at.
  ...looks({
    when: /is the disk full/i,
    steps: [
      step("diagnostics", { device: "dev-2004" }),
      step("history", { device: "dev-2004", months: 12 }),
      finding("disk_full", 97, [["The disk is full.", measurement("dev-2004")]]),
    ],
  }),
  ...looks({ when: /virus scanner/i, steps: [finding("memory", 99, [])] }),
  // Never ends, repeats itself, asks for what it may not use.
  ...looks({
    when: /after every restart/i,
    steps: [1, 2, 3, 6, 12, 24].map((months) => step("history", { device: "dev-2004", months })),
  }),
  ...looks({
    when: /since the last update/i,
    steps: [
      step("diagnostics", { device: "dev-2004" }),
      step("history", { device: "dev-2004", months: 6 }),
      step("diagnostics", { device: "dev-2004" }),
    ],
  }),
  ...looks({
    when: /clean it up yourself/i,
    steps: [step("diagnostics", { device: "dev-2004" }), step("delete_files", { device: "dev-2004" })],
  }),
  // Whatever else is asked is answered from what stands in the prompt.
  { purpose: "decide", when: /./, system: intake, replies: [readPick] },
  { purpose: "decide", when: /./, system: answers, replies: [readAnswer] },
  { purpose: "decide", when: /./, system: replacements, replies: [readReplacement] },
  { purpose: "step", when: /./, system: slowness, replies: [readSlowness] },
];

type Claims = readonly (readonly [text: string, source: string])[];

function answer(when: RegExp, confidence: number, claims: Claims): ScriptLine {
  return { purpose: "decide", when, system: answers, replies: [answerText(confidence, claims)] };
}

function answerText(confidence: number, claims: Claims): string {
  return JSON.stringify({ claims: claims.map(([text, source]) => ({ text, source })), confidence });
}

/** The steps of a loop, each a reply or its replies by attempt. */
function looks({ when, steps }: { when: RegExp; steps: readonly (string | readonly string[])[] }): ScriptLine[] {
  return steps.map((replies, place) => ({
    ...({ purpose: "step", step: place + 1, when, system: slowness } as const),
    replies: typeof replies === "string" ? [replies] : replies,
  }));
}

function step(tool: string, args: object): string {
  return JSON.stringify({ next: { tool, arguments: args } });
}

function finding(cause: string, confidence: number, claims: Claims): string {
  const said = claims.map(([text, source]) => ({ text, source }));
  return JSON.stringify({ next: { final: { cause, claims: said, confidence } } });
}

function replace(when: RegExp, reply: string): ScriptLine {
  return { purpose: "decide", when, system: replacements, replies: [reply] };
}

/** The last reply repeats, so one that never fits is enough. */
function malformed(when: RegExp, reply: string): ScriptLine {
  return replace(when, reply);
}

type Choice = [device: string, reason: string, eligible: boolean, section: number, note: string, confidence: number];

function choice(...[device, reason, eligible, section, note, confidence]: Choice): string {
  return JSON.stringify({ device, reason, eligible, policy: policy(section), note, confidence });
}
