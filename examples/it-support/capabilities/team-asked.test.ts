import { everything } from "countersign";
import { describe, expect, it } from "vitest";
import { dayNamed, teamAsked } from "./team-asked.ts";

const clock = Date.UTC(2026, 10, 30, 12);
const principal = { tenant: "acme", id: "emp-104", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };
const envelope = { principal, scopes: ["tenant:all"], environment: "test", at: clock };

describe("the team that a question is about", () => {
  it.each([
    ["Who is the IT lead of my team?", "employee:emp-104", clock],
    ["who was the it lead of the finance team on 15 May 2025", "team:finance", Date.UTC(2025, 4, 14, 22)],
    ["Who was my team's IT-lead on 2026-01-01?", "employee:emp-104", Date.UTC(2025, 11, 31, 23)],
  ])("%s", (text, subject, at) => {
    expect(teamAsked(text, envelope)).toEqual({ subject, at });
  });

  it.each(["Can the IT lead approve a laptop?", "Who approves my laptop?", ""])("is none in: %s", (text) => {
    expect(teamAsked(text, envelope)).toBeNull();
  });
});

it.each([
  ["on 15 May 2025", "2025-05-15"],
  ["on the 3rd of March 2024, please", "2024-03-03"],
  ["1. Sept. 2025", "2025-09-01"],
  ["at 2025-12-31?", "2025-12-31"],
  ["on 31 February 2025", null],
  ["2025-13-01", null],
  ["15 apples 2025", null],
  ["in 2025", null],
])("the day in `%s` is %s", (text, day) => {
  expect(dayNamed(text)).toBe(day);
});
