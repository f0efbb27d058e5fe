/** What people write to the help desk, as the script knows it, by what each shows. The asking person is `people.employee`. */
export const sentences = {
  // Questions.
  answerLaptopAge: "How old does a laptop have to be before I get a new one?",
  answerVpnAbroad: "Can I use the VPN from abroad?",
  answerHelpDeskHours: "When does the help desk answer, and how fast is the first response?",
  answerPasswordChange: "How often do I have to change my password?",
  answerMyLaptop: "Which laptop do I have and how long is its warranty?",
  answerAfterRetry: "How do I report a phishing mail?",
  notInSources: "Which bus goes to the lake on Sundays?",
  silentSources: "May I use my private printer for company documents?",
  inventedSource: "Do I get a monitor for home?",
  wrongNumber: "Within how many hours do I report a lost phone?",
  leaksColleague: "Who keeps the record of devices, and who else has a laptop like mine?",
  // Replacements.
  mouseByPolicy: "My mouse is broken, can I have a new one?",
  headsetLostReply: "My headset stopped working, please send me another one.",
  laptopByPerson: "My laptop LT-1045 is worn out, please replace it.",
  monitorUnsure: "One of my screens looks tired, could it be changed?",
  phoneUnderWarranty: "My phone is broken, can I get a new one?",
  keyboardTooYoung: "My keyboard is worn out, I would like a new one.",
  deviceOfAnother: "Please replace LT-2051, it is worn out.",
  // Replies that never fit.
  prose: "The cable of my mouse is torn.",
  fenced: "Two keys of my keyboard are dead.",
  numberAsText: "My headset crackles, please replace it.",
  extraKey: "My laptop is too slow and worn out, I need a new one.",
  doubledKey: "The glass of my phone is cracked.",
  // Slow laptops. Who holds which laptop decides what is found: Mira's is hot, Jonas's disk is full, Teo's battery is weak.
  slowByHeat: "Why is my laptop so slow?",
  slowByDisk: "Why is my laptop slow whenever I save a file?",
  slowByBattery: "Why is my laptop slow without its charger?",
  slowUnknown: "Why is my laptop slow on Mondays?",
  slowWrongCause: "Why is my laptop slow, is the disk full?",
  slowTooSoon: "Why is my laptop slow? I blame the virus scanner.",
  slowNeverEnds: "Why is my laptop slow, and slow again after every restart?",
  slowRepeats: "Why is my laptop slow since the last update?",
  slowOffList: "Why is my laptop slow, and can you clean it up yourself?",
  // Intake.
  severalWishes: "My mouse is broken, and which password rules are there?",
  noneFits: "Please book me a flight to Porto.",
  // Tickets.
  ticketByNumber: "What is the status of tkt-1001?",
  ticketLatest: "Is there any news on my last ticket?",
  ticketOfAnother: "What is the status of tkt-1005?",
} as const;
