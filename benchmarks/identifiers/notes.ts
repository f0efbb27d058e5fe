/** A note of a technical corpus: made up for this benchmark. */
export interface Note {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Notes that speak of what has a name, many of them of names that differ in one character. */
export const technicalNotes: readonly Note[] = [
  {
    id: "dns-ndots",
    title: "Resolver options",
    text: "With the option ndots:5 a name of fewer than five dots is tried in every search domain first. Each lookup then costs several queries.",
  },
  {
    id: "dns-attempts",
    title: "Resolver retries",
    text: "The options attempts:2 and timeout:1 say how often a resolver asks a name server and how long it waits. They have nothing to do with dots.",
  },
  {
    id: "ticket-4471",
    title: "Printer on the third floor",
    text: "TICKET-4471: the printer jams after every third page. The feeder roll was replaced and the ticket closed.",
  },
  {
    id: "ticket-4472",
    title: "Scanner on the third floor",
    text: "TICKET-4472: the scanner jams after every page. See the ticket of the printer. Ticket reopened twice.",
  },
  {
    id: "ticket-447",
    title: "Badge reader",
    text: "TICKET-447: the badge reader at gate 1 does not beep. The ticket waits for a spare part.",
  },
  {
    id: "modifier-idf",
    title: "Sparse vectors",
    text: "Set Modifier.IDF on a sparse vector so that the server weighs each term by its rarity at the time of the query.",
  },
  {
    id: "modifier-none",
    title: "Sparse vectors without weights",
    text: "Modifier.NONE leaves the values of a sparse vector as they are. The modifier can be changed later without a new index.",
  },
  {
    id: "xz-backdoor",
    title: "Compression library",
    text: "CVE-2024-3094 is a backdoor in releases 5.6.0 and 5.6.1 of a compression library. Go back to 5.4.6.",
  },
  {
    id: "ssh-signal",
    title: "Remote shell",
    text: "CVE-2024-6387 is a race in a signal handler of the remote shell's server. Set LoginGraceTime to 0 until it is patched.",
  },
  {
    id: "cve-process",
    title: "How advisories are handled",
    text: "Every CVE is triaged within a day. A CVE of 2024 that is exploited is patched within two days; all CVE numbers are listed weekly.",
  },
  {
    id: "cstate",
    title: "Freezes when idle",
    text: "A laptop that freezes when idle is started with intel_idle.max_cstate=1 on the kernel's command line.",
  },
  {
    id: "pstate",
    title: "Clock speeds",
    text: "The driver intel_pstate is switched off with intel_pstate=disable; max_perf_pct limits the clock.",
  },
  {
    id: "cpp",
    title: "Native modules",
    text: "Native modules are written in C++ and built with the compiler of the runner image.",
  },
  {
    id: "csharp",
    title: "Office add-ins",
    text: "The add-ins for the office suite are written in C# and signed by the build server.",
  },
  {
    id: "plain-c",
    title: "Firmware",
    text: "The firmware of the sensors is written in C, without an operating system. C is C: no exceptions, no classes.",
  },
  {
    id: "fsharp",
    title: "Pricing library",
    text: "The pricing library is written in F# and called by the reporting jobs every night.",
  },
  {
    id: "munich",
    title: "Office in Munich",
    text: "The office in München moved to the Arnulfstraße. Guests register at the front desk.",
  },
  {
    id: "muenster",
    title: "Office in Münster",
    text: "The office in Münster closed. Post is forwarded for a year.",
  },
  {
    id: "error-code",
    title: "Blue screens",
    text: "Stop code 0x0000007E means that a driver raised an exception that nobody handled. Update the graphics driver.",
  },
  {
    id: "error-code-b",
    title: "Boot failures",
    text: "Stop code 0x0000007B means that the boot device cannot be reached. Check the mode of the disk controller.",
  },
  {
    id: "http-client",
    title: "Client library",
    text: "Call httpClient.getWithRetry(url, { maxAttempts: 3 }) and never the bare get: the gateway answers 503 during a deployment.",
  },
  {
    id: "http-server",
    title: "Server settings",
    text: "keepAliveTimeout has to be longer than the load balancer's idle time, or connections are reset between two requests.",
  },
  {
    id: "env-url",
    title: "Connection strings",
    text: "DATABASE_URL holds the connection string of the main database, with sslmode=verify-full.",
  },
  {
    id: "env-replica",
    title: "Read replicas",
    text: "DATABASE_REPLICA_URL points to a database replica; the URL of the main database is elsewhere.",
  },
  {
    id: "parser",
    title: "Exports",
    text: "The class PDFTableReader takes tables out of reports. It fails on scanned pages with an EmptyPageError.",
  },
  {
    id: "parser-csv",
    title: "Imports",
    text: "The class CsvTableReader reads tables from files; reports of other formats have readers of their own.",
  },
  {
    id: "path",
    title: "Where the search lives",
    text: "The ranking is in src/search/rank.ts and its weights in src/search/weights.json; both are read at start.",
  },
  {
    id: "path-b",
    title: "Where the index lives",
    text: "The index is written by src/index/build.ts. It never reads the weights of the search.",
  },
  {
    id: "version-pin",
    title: "Pinned versions",
    text: "The parser is pinned to 2.31.4, since 2.31.5 drops the last row of every table.",
  },
  {
    id: "version-old",
    title: "Old versions",
    text: "Versions before 2.3.14 of the parser cannot read dates before 1970.",
  },
  {
    id: "package",
    title: "Packages",
    text: "Install @acme/ledger-client@4 from the internal registry; what came before it is abandoned.",
  },
  {
    id: "package-old",
    title: "Abandoned packages",
    text: "acme-ledger was the first client of the ledger. Its package is kept for audits and must not be installed.",
  },
  {
    id: "serial",
    title: "Serial numbers",
    text: "Dock stations with a serial from SN-88213-A to SN-88213-F have a loose plug and are swapped without questions.",
  },
  {
    id: "serial-other",
    title: "More serial numbers",
    text: "The monitors SN-88231-A to SN-88231-F are fine: their serial numbers only look like those of the dock stations.",
  },
  {
    id: "ip-range",
    title: "Guest network",
    text: "Guests get an address of 10.20.30.0/24. The gateway is 10.20.30.1 and blocks everything but the web.",
  },
  {
    id: "ip-office",
    title: "Office network",
    text: "Desks get an address of 10.20.31.0/24. The gateway is 10.20.31.1.",
  },
  {
    id: "kanji",
    title: "東京オフィス",
    text: "東京都の事務所は九時に開きます。会議室の予約は総務部に連絡してください。",
  },
  {
    id: "kanji-osaka",
    title: "大阪オフィス",
    text: "大阪府の事務所は十時に開きます。駐車場の予約は受付に連絡してください。",
  },
  {
    id: "cyrillic",
    title: "Склад",
    text: "Сервер склада отвечает только по внутренней сети; адрес меняется раз в год.",
  },
  {
    id: "mail-rule",
    title: "Mailboxes",
    text: "Invoices go to rechnung+2026@acme.example and are read by the import job at six.",
  },
  {
    id: "mail-other",
    title: "More mailboxes",
    text: "Reminders go to mahnung@acme.example; nobody reads that mailbox, a job does.",
  },
  {
    id: "namespace",
    title: "Smart pointers",
    text: "std::unique_ptr owns what it points to; std::shared_ptr counts its owners.",
  },
  {
    id: "namespace-b",
    title: "Ranges",
    text: "std::views::filter makes a view and copies nothing; the view must not outlive its range.",
  },
  {
    id: "flags",
    title: "Build flags",
    text: "The flag --max-old-space-size=4096 gives the build more memory; --max-semi-space-size is for short-lived objects.",
  },
  {
    id: "issue-hash",
    title: "Known defects",
    text: "Defect #2087 loses the last character of a name. A workaround is in the notes of release R24.1.",
  },
  {
    id: "issue-hash-b",
    title: "More defects",
    text: "Defect #2078 shows the wrong month. It is mended in release R24.2.",
  },
];
