/**
 * The replies of the demo's model, written by hand and keyed on the request. It is a script and says so wherever its replies show; it is
 * also wrong, unsure and malformed where the demo needs to show what happens then.
 */
import type { ScriptLine } from "countersign/testing";

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
  ...intakePicks(),
  // Answers with sources.
  answer(/how old .*laptop/i, 95, [
    ["A laptop that is worn out is replaced once it is 36 months old.", policy(3)],
    ["The IT lead approves the replacement before anything is ordered.", policy(3)],
  ]),
  answer(/vpn .*abroad/i, 93, [
    ["The VPN may be used from abroad for up to 30 days a year.", "passage:remote-access:4.0:3"],
    ["Longer stays need an entry by the HR service before departure.", "passage:remote-access:4.0:3"],
  ]),
  answer(/help desk answer/i, 92, [
    ["The help desk answers from 08:00 to 18:00 on working days.", "passage:service-hours:2.2:1"],
    ["An incident that stops your work gets a first response within 30 minutes.", "passage:service-hours:2.2:2"],
  ]),
  answer(/change my password/i, 94, [
    ["There is no regular change: a password is changed only when there is a reason.", "passage:passwords-and-sign-in:3.0:2"],
  ]),
  answer(/which laptop do i have/i, 95, [
    ["Your laptop is a {{device.model}}, bought on {{device.bought_on}}.", deviceRecord("dev-2004")],
    ["Laptops have a warranty of 24 months from the day of purchase.", "passage:warranty-and-repair:1.4:1"],
  ]),
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
  // Wrong: a passage that does not exist, a number that its passage does not hold, a colleague's address.
  answer(/monitor for home/i, 97, [["You receive two monitors for home.", "passage:home-office:1.6:9"]]),
  answer(/how many hours/i, 96, [["Report a lost phone within 48 hours.", "passage:security-incidents:2.5:3"]]),
  answer(/laptop like mine/i, 88, [
    ["Ask Teo Lindqvist, teo.lindqvist@acme.example, who has the same {{device.model}}.", deviceRecord("dev-2004")],
  ]),
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
  // Replacements.
  replace(
    /mouse .*(broken|dead|defective|stopped)/i,
    choice("dev-2001", "defective", true, 2, "A defective mouse is replaced at any time.", 96),
  ),
  replace(
    /headset .*(broken|dead|stopped)/i,
    choice("dev-2003", "defective", true, 2, "A defective headset is replaced at any time.", 96),
  ),
  replace(/laptop .*worn out/i, choice("dev-2004", "worn_out", true, 3, "The laptop is older than 36 months.", 94)),
  // Unsure: two monitors, and no word of what is wrong.
  replace(
    /one of my screens/i,
    choice("dev-2006", "worn_out", true, 3, "The request does not say which of the two monitors.", 15),
  ),
  replace(
    /phone is (broken|dead)/i,
    choice("dev-2005", "defective", false, 4, "The phone is under warranty and is repaired.", 93),
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
];

function intakePicks(): ScriptLine[] {
  return [
    // Several wishes first: each of them alone would match a line below.
    pick(/broken, and which password/i, "replace_device", true),
    pick(/^why is my laptop slow|^why is my laptop so slow/i, "slow_laptop"),
    pick(/flight|canteen|holiday/i, "none"),
    pick(/\bticket\b/i, "ticket_state"),
    pick(/^(how|when|which|can i use|may i|do i get|within|who)\b/i, "answer_question"),
    pick(/mouse|keyboard|headset|laptop|phone|monitor|screen|\b[A-Z]{2}-\d{4}\b/i, "replace_device"),
    pick(/./, "none"),
  ];
}

function pick(when: RegExp, capability: string, several = false): ScriptLine {
  return { purpose: "decide", when, system: intake, replies: [JSON.stringify({ capability, several })] };
}

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
