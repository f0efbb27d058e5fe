/**
 * Whether a number of digits would pass a check that cards, health numbers or bank routes have to pass in the real world: Luhn (ISO/IEC
 * 7812-1, annex B), modulo 11 of the NHS number, and the weights 3, 7, 1 of the routing number of the American Bankers Association.
 */
export function passesCheck(digits: string): boolean {
  return passesLuhn(digits) || passesNhs(digits) || passesRouting(digits);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - i));
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function passesNhs(digits: string): boolean {
  return digits.length === 10 && weighed(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

function passesRouting(digits: string): boolean {
  return digits.length === 9 && weighed(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0;
}

function weighed(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits.charAt(at)), 0);
}
