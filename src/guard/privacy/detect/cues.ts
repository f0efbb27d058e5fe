// Words that say what the number beside them is, in the languages that the product's users write. Found in one pass over the text.

/** What a word may announce; bits, so that one word can announce several. */
export const cue = {
  phone: 1 << 0,
  phoneAfter: 1 << 1,
  card: 1 << 2,
  account: 1 << 3,
  routing: 1 << 4,
  ssn: 1 << 5,
  nhs: 1 << 6,
  nino: 1 << 7,
  steuerId: 1 << 8,
  ausweis: 1 << 9,
  nir: 1 << 10,
  dni: 1 << 11,
  aadhaar: 1 << 12,
  pan: 1 << 13,
  passport: 1 << 14,
  licence: 1 << 15,
  plate: 1 << 16,
  vin: 1 << 17,
  birth: 1 << 18,
  version: 1 << 19,
  /** What follows is somebody's number, but nothing personal: an order, a ticket, a price. */
  plain: 1 << 20,
} as const;

const words: Readonly<Record<keyof typeof cue, string>> = {
  phone:
    "phone phones telephone tel fax mobile cell cellphone call calling called dial ring sms whatsapp hotline voicemail answering reach contact message messages desk landline " +
    "telefon telefonnummer telefonisch handy handynummer mobil mobilnummer rufnummer anrufen anruf festnetz telefax durchwahl téléphone telephonez portable appeler appelez rappeler " +
    "teléfono telefono móvil movil celular llamar llame llámame llámeme cellulare chiamare telefoon telefoonnummer bellen gsm",
  phoneAfter: "office fax mobile home work cell desk phone tel direct büro privat bureau",
  card:
    "card cards cc creditcard debitcard visa mastercard amex maestro discover diners jcb credit debit kreditkarte kreditkartennummer karte kartennummer kartennr " +
    "carte tarjeta carta kaart kaartnummer",
  account:
    "account acct iban bankaccount konto kontonummer kontonr kto bankkonto compte cuenta conto rekening rekeningnummer accountnumber acc",
  routing: "routing aba rtn sort sortcode blz bankleitzahl",
  ssn: "ssn ssns social itin tin taxpayer socialsecurity",
  nhs: "nhs",
  nino: "nino insurance",
  steuerId: "steuer steuerid steueridentifikationsnummer identifikationsnummer idnr tin steuernummer",
  ausweis: "personalausweis ausweis ausweisnummer personalausweisnummer ausweisnr",
  nir: "nir sécurité securite sécu secu insee",
  dni: "dni nie nif",
  aadhaar: "aadhaar aadhar adhaar uidai",
  pan: "pan",
  passport: "passport passports reisepass reisepassnummer passnummer passnr passeport pasaporte passaporto paspoort",
  licence:
    "license licence driver drivers driving dl führerschein führerscheinnummer fuehrerschein permis licencia patente rijbewijs",
  plate: "plate plates registration kennzeichen nummernschild immatriculation plaque matrícula matricula targa kenteken",
  vin: "vin chassis fahrgestellnummer fin vehicle",
  birth:
    "born birth dob birthday birthdate bday dateofbirth geboren geb geburtsdatum geburtstag né née naissance nacimiento nacido nacida nació " +
    "nato nata nascita geboortedatum geboren nascimento",
  version: "version release build v firmware browser",
  plain:
    "order orders ticket tickets invoice case ref reference sku item items product tracking version isbn issn build commit amount total price eur usd gbp serial part batch lot " +
    "quantity qty page pages doi line size bytes population timestamp epoch request trace session transaction receipt article section chapter room id code " +
    "bestellung bestellnummer auftrag auftragsnummer rechnung rechnungsnummer vorgang commande facture dossier pedido factura ordine fattura",
};

/** Words that name a secret, each as a whole run of letters; they announce nothing else and hide no other word. */
const secretWords =
  "password passwort passwd passphrase passcode pwd kennwort contraseña mot secret token api apikey access auth private client bearer basic " +
  "accesskey accesstoken accesssecret authkey authtoken authsecret privatekey privatetoken privatesecret secretkey secrettoken secretsecret " +
  "clientkey clienttoken clientsecret";
const ofSecret = 1 << 21;

/** Where the words stand, and what they announce. */
export interface Cues {
  /** All that the nearest words before a place announce, of those that end at most `reach` code units before it; 0 where none does. */
  readonly before: (place: number, reach: number) => number;
  /** What a word announces that begins right after a place, at most `reach` code units behind it. */
  readonly after: (place: number, reach: number) => number;
  /** Places where words end that announce any of these. */
  readonly endsOf: (announced: number) => readonly number[];
  /** Places where words begin that may name a secret. */
  readonly secrets: readonly number[];
}

const announcedBy: ReadonlyMap<string, number> = collect();

function collect(): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const [name, bit] of Object.entries(cue)) {
    for (const word of words[name as keyof typeof cue].split(" ")) all.set(word, (all.get(word) ?? 0) | bit);
  }
  for (const word of secretWords.split(" ")) all.set(word, (all.get(word) ?? 0) | ofSecret);
  return all;
}

// Most words of a text announce nothing: told by a sum over their letters, before a text is made of them.
const sums = 8_192;
const hasSum = new Uint8Array(sums);
for (const word of announcedBy.keys()) hasSum[[...word].reduce((sum, letter) => addTo(sum, letter.charCodeAt(0)), 0)] = 1;

/** Small and capital letters of Latin-1 add the same; no word of the list has others. */
function addTo(sum: number, unit: number): number {
  return (sum * 31 + (unit | 0x20)) & (sums - 1);
}

interface Found {
  readonly starts: number[];
  readonly ends: number[];
  readonly bits: number[];
  readonly secrets: number[];
  /** All bits that are in `bits`. */
  all: number;
}

const longestWord = 32;
// Words of one phrase, as in `bank account` or `credit-card number`, are this near to one another.
const phraseGap = 3;

/** Finds the words in a folded text. `phoneNumber` and `phone_number` are words apart. */
export function findCues(text: string): Cues {
  const found: Found = { starts: [], ends: [], bits: [], secrets: [], all: 0 };
  for (let index = 0; index < text.length; ) {
    index = isLetter(text.charCodeAt(index)) ? readLetters(found, text, index) : index + 1;
  }
  return {
    before: (place, reach) => announcedBefore(found, place, reach),
    after: (place, reach) => announcedAfter(found, place, reach),
    endsOf: (announced) =>
      (found.all & announced) === 0 ? [] : found.ends.filter((_, at) => ((found.bits[at] ?? 0) & announced) !== 0),
    secrets: found.secrets,
  };
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

// Letters of ASCII and of Western and Central Europe; of ASCII it is known which are capitals.
const small = 1;
const capital = 2;
const kinds = new Uint8Array(0x250).fill(small, 0xc0).fill(small, 0x61, 0x7b).fill(capital, 0x41, 0x5b);
const isLetter = (unit: number): boolean => unit < 0x250 && kinds[unit] !== 0;

// Reads a run of letters and answers with its end. A word ends where letters end, and where a capital follows a small letter.
function readLetters(found: Found, text: string, start: number): number {
  let wordStart = start;
  let sum = 0;
  let last = capital;
  let end = start;
  for (let unit = text.charCodeAt(end); unit < 0x250; unit = text.charCodeAt(end)) {
    const kind = kinds[unit] as number; // within the table
    if (kind === 0) break;
    if (kind > last) {
      if (hasSum[sum] === 1) note(found, text, { start: wordStart, end, mask: ~ofSecret });
      wordStart = end;
      sum = 0;
    }
    sum = addTo(sum, unit);
    last = kind;
    end += 1;
  }
  if (hasSum[sum] === 1) note(found, text, { start: wordStart, end, mask: wordStart === start ? ~0 : ~ofSecret });
  if (wordStart !== start) note(found, text, { start, end, mask: ofSecret });
  return end;
}

interface Noting {
  readonly start: number;
  readonly end: number;
  /** Which of its bits count. */
  readonly mask: number;
}

function note(found: Found, text: string, { start, end, mask }: Noting): void {
  if (end - start < 2 || end - start > longestWord) return;
  const bits = (announcedBy.get(text.slice(start, end).toLowerCase()) ?? 0) & mask;
  if ((bits & ofSecret) !== 0) found.secrets.push(start);
  // A word behind a digit is a piece of a key in hexadecimal or the like.
  if ((bits & ~ofSecret) === 0 || isDigit(text.charCodeAt(start - 1))) return;
  found.starts.push(start);
  found.ends.push(end);
  found.bits.push(bits & ~ofSecret);
  found.all |= bits;
}

// How many of the ascending places lie at or before the given one.
function countUpTo(places: readonly number[], place: number): number {
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function announcedBefore({ starts, ends, bits }: Found, place: number, reach: number): number {
  let at = countUpTo(ends, place) - 1;
  if (at < 0 || (ends[at] ?? 0) < place - reach) return 0;
  let announced = bits[at] ?? 0;
  for (; at > 0 && (starts[at] ?? 0) - (ends[at - 1] ?? 0) <= phraseGap; at -= 1) announced |= bits[at - 1] ?? 0;
  return announced;
}

function announcedAfter({ starts, bits }: Found, place: number, reach: number): number {
  const at = countUpTo(starts, place - 1);
  return (starts[at] ?? Number.POSITIVE_INFINITY) <= place + reach ? (bits[at] ?? 0) : 0;
}
