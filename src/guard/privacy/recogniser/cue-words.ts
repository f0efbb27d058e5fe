/** Words that tell what stands beside them, in the languages that are met most. Lower case, without accents. */
const lists = {
  title:
    "mr mrs ms miss mx dr prof professor sir madam dame lord lady rev fr captain capt sgt lt col maj gen judge justice senator herr frau fraulein hr fru monsieur madame mademoiselle mme mlle m senor senora senorita sr sra srta don dona signor signora signorina sig dott avv ing dhr mevrouw mevr mw meneer pan pani p dl dna doamna domnul bay bayan shri smt kum",
  companyForm:
    "inc llc ltd limited corp corporation co company gmbh ag kg ohg ug sarl sas sa srl spa bv nv ab as asa aps oy oyj plc llp lp pty pvt sro kft zrt nyrt doo ooo sp zoo group holding holdings partners associates bank insurance university institute foundation agency ministry department technologies systems solutions software labs industries consulting logistics",
  street:
    "street st avenue ave road rd lane ln drive dr boulevard blvd court ct place pl square sq terrace crescent close way parkway pkwy highway hwy alley row mews grove gardens rise circle cir trail walk quay hill route rt freeway expressway turnpike bypass loop ridge creek corner intersection crossing strasse str weg gasse allee platz ring ufer damm chaussee rue chemin quai impasse route allee cours place calle avenida avda plaza paseo camino carrera carretera ronda via viale vicolo corso piazza largo rua praca travessa estrada alameda straat laan plein gracht kade dijk singel steenweg ulica ul aleja al plac os ulice namesti trida utca u ut ter korut setany fasor gatan gata vagen vag vej vejen gade gaden alle veien vei gate gateveien katu tie kuja polku tanav tee iela gatve sokak sok caddesi cad bulvari mahallesi jalan jl marg nagar strada bulevardul calea aleea ulitsa prospekt pereulok odos leoforos bvd esplanade crest",
  unit: "apt apartment suite ste unit flat floor fl room rm level building bldg block tower house door po box pobox postbox postfach postbus postboks apartado casilla bp cp lgh leil dor stock og wohnung zimmer etage appartement appt bat batiment piso puerta esc escalera izq dcha interno scala piano sala andar bloco apto ap et sc lokal m em ajto emelet byt patro huis bus boite c/o psc apo fpo dpo cmr attn lot plot sector phase near opp opposite behind",
  calendar:
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo gennaio febbraio aprile maggio giugno luglio settembre ottobre novembre dicembre easter christmas ramadan diwali",
  particle:
    "van von der den de da di do dos das del della delle la le du des bin ibn al el abu ben ter ten zu zum zur af av y e san santa st mac mc o",
} as const;

/** Groups of words that tell what kind of thing comes soon. */
const cues = {
  name: "name named names called call calls nickname surname signed sign regards sincerely cheers thanks dear hi hello hey yours contact attn cc from customer client patient employee applicant tenant user guest passenger beneficiary recipient author director starring by wife husband son daughter mother father brother sister friend colleague boss manager doctor nurse guardian partner uncle aunt nephew heisse name namens nom prenom appelle nombre llamo apellido nome cognome chiamo naam heet imie nazwisko jmeno nev vorname nachname kunde kundin client cliente kupujacy navn namn nimi isim",
  address:
    "address addresses addressed lives live lived living reside resides resident residing located location ship shipped shipping deliver delivered delivery billing mail mailing post send sent moved move street home house office offices visit pickup dropoff wohnt wohne adresse anschrift habite demeurant direccion vivo vive domicilio direccion indirizzo abito abita residente endereco moro mora adres woont woon mieszka mieszkam bydliste adresa bor bor lakik lakcim osoite asuu bo bosatt",
  company:
    "company employer firm works work worked working works vendor supplier startup business arbeitet firma entreprise empresa azienda bedrijf corporation acquired merger shareholders ceo cfo founder client",
  place:
    "country city town village region capital travel travelling trip flight flew visiting born stadt ville ciudad citta cidade kraj miasto tourist border mayor province population",
} as const;

const listNames = ["title", "companyForm", "street", "unit", "calendar", "particle"] as const;
const cueNames = ["name", "address", "company", "place"] as const;

/** Which lists a word stands in, as bits. */
export type WordBits = ReadonlyMap<string, number>;

/** The lists as bits of one number a word, `title` the lowest. */
export function openWordLists(): WordBits {
  return bitsOf(listNames.map((name) => lists[name]));
}

/** The cues as bits of one number a word, `name` the lowest. */
export function openCues(): WordBits {
  return bitsOf(cueNames.map((name) => cues[name]));
}

function bitsOf(all: readonly string[]): WordBits {
  const bits = new Map<string, number>();
  for (const [place, words] of all.entries())
    for (const word of words.split(" ")) bits.set(word, (bits.get(word) ?? 0) | (1 << place));
  return bits;
}
