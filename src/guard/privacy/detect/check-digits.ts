// Check digits of real-world numbers. All take digits (or letters, where said) without separators.

/** Whether a number passes the Luhn check (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 0x30;
    const weighted = at % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** The remainder by 97 of a number of digits and capital letters, with A = 10 to Z = 35 (ISO/IEC 7064). */
export function remainderBy97(text: string): number {
  let remainder = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    remainder = unit >= 0x41 ? (remainder * 100 + unit - 0x37) % 97 : (remainder * 10 + unit - 0x30) % 97;
  }
  return remainder;
}

/** Whether a number passes ISO/IEC 7064 mod 11,10, as the German tax number does. */
export function passesMod11And10(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** Whether a number's weighted digits give a sum that the modulus divides. There are as many weights as digits. */
export function passesWeights(digits: string, weights: readonly number[], modulus: number): boolean {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % modulus === 0;
}

// Multiplication in the dihedral group D5, and the permutation of Verhoeff's scheme (J. Verhoeff, 1969).
const product = ["0123456789", "1234067895", "2340178956", "3401289567", "4012395678", "5987604321", "6598710432", "7659821043"]
  .concat(["8765932104", "9876543210"])
  .map((row) => [...row].map(Number));
const permutation = [
  "0123456789",
  "1576283094",
  "5803796142",
  "8916043527",
  "9453126870",
  "4286573901",
  "2793806415",
  "7046913258",
].map((row) => [...row].map(Number));

/** Whether a number passes Verhoeff's check, as the Indian Aadhaar number does. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const permuted = permutation[at % 8]?.[Number(digits[digits.length - 1 - at])] ?? 0;
    check = product[check]?.[permuted] ?? 0;
  }
  return check === 0;
}
