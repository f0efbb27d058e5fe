/** What the demo's help desk holds at the start. Dates are told in months before the seeding, so that the demo does not grow old. */

export const employees = [
  { id: "emp-104", name: "Mira Okafor", email: "mira.okafor@acme.example", phone: "+00 20 5550 104", team: "Editorial" },
  { id: "emp-105", name: "Teo Lindqvist", email: "teo.lindqvist@acme.example", phone: "+00 20 5550 105", team: "Editorial" },
  { id: "emp-106", name: "Ilse Brandt", email: "ilse.brandt@acme.example", phone: "+00 20 5550 106", team: "Finance" },
  { id: "emp-107", name: "Rafael Quispe", email: "rafael.quispe@acme.example", phone: "+00 20 5550 107", team: "Logistics" },
  { id: "emp-201", name: "Jonas Albrecht", email: "jonas.albrecht@acme.example", phone: "+00 20 5550 201", team: "IT" },
  { id: "emp-301", name: "Sanna Virtanen", email: "sanna.virtanen@acme.example", phone: "+00 20 5550 301", team: "Operations" },
] as const;

/** What is ordered for each category. */
export const catalogue = [
  { category: "laptop", model: "Halden Book 14" },
  { category: "phone", model: "Orlo P5" },
  { category: "mouse", model: "Pinto M2" },
  { category: "keyboard", model: "Pinto K4" },
  { category: "headset", model: "Auris H3" },
  { category: "monitor", model: "Lumen 27" },
] as const;

type Category = (typeof catalogue)[number]["category"];
type Device = {
  readonly id: string;
  readonly assetTag: string;
  readonly serial: string;
  readonly category: Category;
  readonly model: string;
  readonly holder: string;
  readonly monthsOld: number;
  readonly depot: string;
};

function device(
  holder: string,
  id: string,
  [assetTag, category, model, monthsOld, depot]: readonly [string, Category, string, number, string],
): Device {
  return { id, assetTag, serial: `SN-${id.slice(4)}-${assetTag.slice(3)}`, category, model, holder, monthsOld, depot };
}

export const devices: readonly Device[] = [
  device("emp-104", "dev-2001", ["MS-1042", "mouse", "Pinto M1", 20, "city"]),
  device("emp-104", "dev-2002", ["KB-1043", "keyboard", "Pinto K4", 5, "city"]),
  // The harbour depot's next reply gets lost, see `faults`.
  device("emp-104", "dev-2003", ["HS-1044", "headset", "Auris H2", 14, "harbour"]),
  device("emp-104", "dev-2004", ["LT-1045", "laptop", "Halden Book 13", 40, "city"]),
  device("emp-104", "dev-2005", ["PH-1046", "phone", "Orlo P4", 10, "city"]),
  device("emp-104", "dev-2006", ["MN-1047", "monitor", "Lumen 24", 64, "city"]),
  device("emp-104", "dev-2007", ["MN-1048", "monitor", "Lumen 24", 66, "city"]),
  device("emp-105", "dev-2051", ["LT-2051", "laptop", "Halden Book 13", 41, "city"]),
  device("emp-105", "dev-2052", ["MS-2052", "mouse", "Pinto M1", 9, "city"]),
  device("emp-106", "dev-2061", ["LT-2061", "laptop", "Halden Book 14", 8, "harbour"]),
  device("emp-107", "dev-2071", ["PH-2071", "phone", "Orlo P3", 33, "harbour"]),
  device("emp-201", "dev-2101", ["LT-3101", "laptop", "Halden Book 14", 15, "city"]),
  device("emp-201", "dev-2102", ["KB-3102", "keyboard", "Pinto K3", 30, "city"]),
  device("emp-301", "dev-2201", ["PH-3201", "phone", "Orlo P4", 34, "city"]),
  device("emp-301", "dev-2202", ["HS-3202", "headset", "Auris H2", 4, "city"]),
];

/** Warranties end so many months after the device was bought. */
export const warranties = devices
  .filter(({ category }) => ["laptop", "phone", "monitor"].includes(category))
  .map(({ id, category }) => ({ device: id, provider: "Norden Care", months: category === "monitor" ? 36 : 24 }));

/** What was last measured: heat on Mira's laptop, a weak battery in Teo's, nothing on Ilse's, a full disk in Jonas's. */
export const diagnostics = [
  { device: "dev-2004", diskFree: 41, memoryUsed: 62, temperature: 96, isThrottled: true, batteryHealth: 71 },
  { device: "dev-2051", diskFree: 37, memoryUsed: 58, temperature: 64, isThrottled: false, batteryHealth: 48 },
  { device: "dev-2061", diskFree: 72, memoryUsed: 44, temperature: 52, isThrottled: false, batteryHealth: 97 },
  { device: "dev-2101", diskFree: 4, memoryUsed: 55, temperature: 61, isThrottled: false, batteryHealth: 93 },
] as const;

export const events = [
  { id: "evt-1", device: "dev-2004", monthsAgo: 40, kind: "delivered", note: "New from the depot" },
  { id: "evt-2", device: "dev-2004", monthsAgo: 30, kind: "fan cleaned", note: "Dust in the fan" },
  { id: "evt-3", device: "dev-2004", monthsAgo: 3, kind: "system updated", note: "Monthly update" },
  { id: "evt-4", device: "dev-2051", monthsAgo: 41, kind: "delivered", note: "New from the depot" },
  { id: "evt-5", device: "dev-2051", monthsAgo: 3, kind: "system updated", note: "Monthly update" },
  { id: "evt-6", device: "dev-2061", monthsAgo: 8, kind: "delivered", note: "New from the depot" },
  { id: "evt-7", device: "dev-2101", monthsAgo: 15, kind: "delivered", note: "New from the depot" },
] as const;

export const tickets = [
  {
    id: "tkt-1001",
    requester: "emp-104",
    device: "dev-2004",
    kind: "incident",
    status: "in progress",
    daysAgo: 6,
    note: "Fan is loud under load",
  },
  {
    id: "tkt-1002",
    requester: "emp-104",
    device: null,
    kind: "request",
    status: "done",
    daysAgo: 21,
    note: "Licence for the layout program",
  },
  {
    id: "tkt-1003",
    requester: "emp-104",
    device: null,
    kind: "request",
    status: "waiting for parts",
    daysAgo: 2,
    note: "Dock for the desk in room 4",
  },
  {
    id: "tkt-1005",
    requester: "emp-105",
    device: "dev-2051",
    kind: "incident",
    status: "open",
    daysAgo: 1,
    note: "Screen flickers",
  },
  {
    id: "tkt-1006",
    requester: "emp-107",
    device: "dev-2071",
    kind: "incident",
    status: "done",
    daysAgo: 40,
    note: "No signal in the hall",
  },
] as const;

/** The next so many replies of a depot get lost. */
export const faults = [{ depot: "harbour", remaining: 1 }] as const;
