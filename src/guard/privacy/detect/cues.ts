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

/** Where the words stand, and what they announce. */
export interface Cues {
  /** All that the nearest words before a place announce, of those that end at most `reach` code units before it; 0 where none does. */
  readonly before: (place: number, reach: number) => number;
  /** What a word announces that begins right after a place, at most `reach` code units behind it. */
  readonly after: (place: number, reach: number) => number;
  /** Places where words end that announce any of these. */
  readonly endsOf: (announced: number) => readonly number[];
}

const announcedBy: ReadonlyMap<string, number> = collect();

function collect(): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const [name, bit] of Object.entries(cue)) {
    for (const word of words[name as keyof typeof cue].split(" ")) all.set(word, (all.get(word) ?? 0) | bit);
  }
  return all;
}

interface Found {
  readonly starts: number[];
  readonly ends: number[];
  readonly bits: number[];
}

const longestWord = 32;
// Words of one phrase, as in `bank account` or `credit-card number`, are this near to one another.
const phraseGap = 3;

/** Finds the words in a folded text. `phoneNumber` and `phone_number` are words apart. */
export function findCues(text: string): Cues {
  const found: Found = { starts: [], ends: [], bits: [] };
  for (let index = 0; index < text.length; ) {
    const end = wordEnd(text, index);
    if (end - index >= 2 && end - index <= longestWord) note(found, text, { start: index, end });
    index = Math.max(end, index + 1);
  }
  return {
    before: (place, reach) => announcedBefore(found, place, reach),
    after: (place, reach) => announcedAfter(found, place, reach),
    endsOf: (announced) => found.ends.filter((_, at) => ((found.bits[at] ?? 0) & announced) !== 0),
  };
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const isUpper = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a;
const isLetter = (unit: number): boolean => isUpper(unit) || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xc0 && unit <= 0x24f);

// A word ends where letters end, and where a capital follows a small letter.
function wordEnd(text: string, start: number): number {
  let end = start;
  for (let last = 0x41; end < text.length; end += 1) {
    const unit = text.charCodeAt(end);
    if (!isLetter(unit) || (isUpper(unit) && !isUpper(last))) return end;
    last = unit;
  }
  return end;
}

function note(found: Found, text: string, { start, end }: { readonly start: number; readonly end: number }): void {
  // A word behind a digit is a piece of a key in hexadecimal or the like.
  if (isDigit(text.charCodeAt(start - 1))) return;
  const bits = announcedBy.get(text.slice(start, end).toLowerCase());
  if (bits === undefined) return;
  found.starts.push(start);
  found.ends.push(end);
  found.bits.push(bits);
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
