import type { Calculation, CalculationResult, OperandRules, TypedCalculation } from "./calculation.ts";
import { daysFrom, daysLater, instantOf, minutesLater, timeOn } from "./dates.ts";
import { compare, decimalText, type Exact, minus, negated, plus, rounded, through } from "./exact.ts";
import { bare, differenceOf, percentOf, plainly, productOf, type Quantity, quotientOf, refused, sumOf } from "./quantity.ts";

const number = { type: "quantity" } as const;
const numbers = { type: "quantity", many: true } as const;
/** Digits of rounding change no amount; whatever else a result depends on comes from a source. */
const written = { type: "quantity", unit: "", mayBeWritten: true } as const;

/** Calculations that are always there: for plans, and for a capability that puts them on its list. Exact; rounding is a step of its own. */
export const arithmetic: readonly Calculation[] = [
  builtIn("add", "One number plus another of the same unit.", { a: number, b: number }, ({ a, b }) => sumOf([a, b])),
  builtIn("subtract", "One number less another of the same unit.", { a: number, b: number }, ({ a, b }) => differenceOf(a, b)),
  builtIn("multiply", "One number times another.", { a: number, b: number }, ({ a, b }) => productOf(a, b)),
  builtIn("divide", "One number through another.", { a: number, b: number }, ({ a, b }) => quotientOf(a, b)),
  builtIn("sum", "The sum of all numbers.", { all: numbers }, ({ all }) => (all.length === 0 ? bare(0) : sumOf(all))),
  builtIn("mean", "The sum of all numbers through how many there are.", { all: numbers }, ({ all }) =>
    quotientOf(sumOf(all), bare(all.length)),
  ),
  builtIn("count", "How many there are.", { all: { type: "list" } }, ({ all }) => bare(all.length)),
  builtIn("percent_of", "A share of a number, in percent.", { percent: number, of: number }, ({ percent, of: whole }) => {
    if (percent.unit !== "" && percent.unit !== "percent") throw refused(`\`${percent.unit}\` is no percentage`);
    return { ...whole, value: productOf({ ...percent, unit: "percent" }, { ...whole, unit: "" }).value };
  }),
  builtIn("ratio_percent", "One number through another, in percent.", { part: number, whole: number }, ({ part, whole }) =>
    percentOf(quotientOf(part, whole)),
  ),
  builtIn(
    "percent_change",
    "How much the new number differs from the old one, in percent of it.",
    { to: number, from: number },
    ({ to, from }) => percentOf(quotientOf(differenceOf(to, from), from)),
  ),
  builtIn(
    "change_ratio",
    "How much the new number differs from the old one, as a share of it.",
    { to: number, from: number },
    ({ to, from }) => quotientOf(differenceOf(to, from), from),
  ),
  builtIn("as_percent", "A ratio in percent.", { ratio: { type: "quantity", unit: "" } }, ({ ratio }) => percentOf(ratio)),
  builtIn(
    "inverse",
    "One through a bare number, such as a rate the other way round.",
    { of: { type: "quantity", unit: "" } },
    ({ of: rate }) => quotientOf(bare(1), rate),
  ),
  builtIn(
    "rest_percent",
    "What is left of a hundred percent.",
    { percent: { type: "quantity", unit: "percent" } },
    ({ percent }) => differenceOf({ ...bare(100), unit: "percent" }, percent),
  ),
  builtIn("magnitude", "A number without its sign.", { of: number }, ({ of: signed }) => ({
    ...signed,
    value: magnitude(signed.value),
  })),
  builtIn("negated", "A number with the other sign.", { of: number }, ({ of: signed }) => ({
    ...signed,
    value: negated(signed.value),
  })),
  builtIn(
    "years_inclusive",
    "How many years there are from the first to the last, both of them counted.",
    { first: number, last: number },
    ({ first, last }) => ({
      ...bare(0),
      value: yearsOf(first, last),
    }),
  ),
  builtIn(
    "round",
    "Rounded to so many digits behind the point, halves away from zero.",
    { of: number, digits: written },
    ({ of: long, digits }) => ({
      ...long,
      value: rounded(long.value, wholeOf(digits, 0, 12)),
    }),
  ),
  builtIn("round2", "Rounded to two digits behind the point.", { of: number }, ({ of: long }) => ({
    ...long,
    value: rounded(long.value, 2),
  })),
];

/** Calculations over dates, times and wording. */
const calendar: readonly Calculation[] = [
  builtIn("text", "A value as text.", { of: { type: "text" } }, ({ of: value }) => value),
  builtIn("join", "Texts one behind the other.", { all: { type: "text", many: true } }, ({ all }) => all.join("")),
  builtIn("date_time", "A day with an hour.", { day: { type: "date" }, hour: { type: "text" } }, ({ day, hour }) =>
    known(timeOn(day, hour)),
  ),
  builtIn("add_minutes", "So many minutes later.", { time: { type: "time" }, minutes: number }, ({ time, minutes }) =>
    known(minutesLater(time, stepsOf(minutes, "minutes"))),
  ),
  builtIn(
    "minutes_between",
    "Minutes from one time to a later one.",
    { start: { type: "time" }, end: { type: "time" } },
    ({ start, end }) => {
      const minutes = ((instantOf(end) ?? Number.NaN) - (instantOf(start) ?? Number.NaN)) / 60_000;
      if (!(minutes >= 0)) throw refused("the end is before the start");
      return { ...bare(minutes), unit: "" };
    },
  ),
  builtIn("add_days", "So many days later.", { date: { type: "date" }, days: number }, ({ date, days }) =>
    known(daysLater(date, stepsOf(days, "days"))),
  ),
  builtIn(
    "days_between",
    "Days from one date to another.",
    { start: { type: "date" }, end: { type: "date" } },
    ({ start, end }) => {
      const days = daysFrom(start, end);
      if (days === undefined) throw refused("one of them is no date");
      return bare(days);
    },
  ),
];

/** Every calculation that is always there, by name. */
export const builtInCalculations: ReadonlyMap<string, Calculation> = new Map(
  [...arithmetic, ...calendar].map((one) => [one.name, one]),
);

function builtIn<const R extends OperandRules>(
  name: string,
  description: string,
  operands: R,
  run: TypedCalculation<R>["run"],
): Calculation {
  return Object.freeze({
    name,
    version: "1",
    description,
    operands,
    run,
  }) satisfies TypedCalculation<R> as unknown as Calculation; // run by the rules
}

function known(result: string | undefined): CalculationResult {
  if (result === undefined) throw refused("there is no such time");
  return result;
}

function magnitude(value: Exact): Exact {
  return value.numerator < 0n ? negated(value) : value;
}

/** A whole number of days or minutes: a bare one, or one in that unit. */
function stepsOf(quantity: Quantity, unit: "days" | "minutes"): number {
  if (!["", unit, unit.slice(0, -1)].includes(quantity.unit)) throw refused(`\`${quantity.unit}\` are no ${unit}`);
  return wholeOf(quantity);
}

/** A whole number between two bounds, as a number of steps. */
function wholeOf(quantity: Quantity, least = -1e9, most = 1e9): number {
  const value = plainly(quantity);
  const number = Number(decimalText(value) ?? Number.NaN);
  if (value.denominator === 1n && number >= least && number <= most) return number;
  throw refused("it is no whole number within its bounds");
}

function yearsOf(first: Quantity, last: Quantity): Exact {
  const one = bare(1).value;
  const years = plus(minus(plainly(last), plainly(first)), one);
  if (compare(years, one) < 0 || through(years, one)?.denominator !== 1n) throw refused("the last year is before the first");
  return years;
}
