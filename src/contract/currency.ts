/** Active codes of ISO 4217 (January 2026), without funds, metals and codes for testing. */
const codes: ReadonlySet<string> = new Set(
  [
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP",
    "CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD",
    "JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN",
    "NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL",
    "THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG",
  ].flatMap((line) => line.split(" ")),
);
/** Codes of ISO 4217 with other than two digits behind the point. */
const withoutMinor: ReadonlySet<string> = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" "));
const inThousandths: ReadonlySet<string> = new Set(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]);

/** Says whether a text is a currency's code in capitals, such as `EUR`. */
export function isCurrency(text: string): boolean {
  return codes.has(text);
}

/**
 * How many digits a currency has behind the point, after ISO 4217, whether its code is in capitals or not; `undefined` for a code that is none.
 * @example
 * minorDigits("KWD"); // 3
 */
export function minorDigits(currency: string): number | undefined {
  const code = currency.toUpperCase();
  if (!codes.has(code)) return undefined;
  return withoutMinor.has(code) ? 0 : inThousandths.has(code) ? 3 : 2;
}

/** The currency of a sign as it stands before or behind a number, such as `US$` or `\u20ac`; `undefined` where there is none. */
export function currencyOfSign(text: string): string | undefined {
  return signs.find(([sign]) => sign.test(text))?.[1];
}

const signs: readonly (readonly [RegExp, string])[] = [
  [/(?<![A-Z])AU?\$/i, "AUD"],
  [/(?<![A-Z])CA?\$/i, "CAD"],
  [/(?<![A-Z])HK\$/i, "HKD"],
  [/(?<![A-Z])NZ\$/i, "NZD"],
  [/(?<![A-Z])S\$/i, "SGD"],
  [/(?<![A-Z])(?:US)?\$/i, "USD"],
  [/\u20ac/, "EUR"],
  [/\u00a3/, "GBP"],
  [/\u00a5/, "JPY"],
];

/** Says whether a bare `$` may stand for a currency. */
export function isDollar(code: string): boolean {
  return /^(?:USD|AUD|CAD|HKD|NZD|SGD|TWD|BBD|BMD|BND|BSD|BZD|FJD|GYD|JMD|KYD|LRD|NAD|SBD|SRD|TTD|XCD|MXN|ARS|CLP|COP|UYU)$/.test(
    code,
  );
}
