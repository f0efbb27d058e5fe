const letters: Readonly<Record<string, string>> = {
  ...{
    а: "a",
    б: "b",
    в: "v",
    г: "g",
    ґ: "g",
    д: "d",
    е: "e",
    ё: "yo",
    є: "ye",
    ж: "zh",
    з: "z",
    и: "i",
    і: "i",
    ї: "yi",
    й: "y",
  },
  ...{
    к: "k",
    л: "l",
    м: "m",
    н: "n",
    о: "o",
    п: "p",
    р: "r",
    с: "s",
    т: "t",
    у: "u",
    ф: "f",
    х: "kh",
    ц: "ts",
    ч: "ch",
    ш: "sh",
  },
  ...{ щ: "shch", ъ: "", ы: "y", ь: "", э: "e", ю: "yu", я: "ya", ј: "j", љ: "lj", њ: "nj", џ: "dz", ѓ: "gj", ќ: "kj", ѕ: "dz" },
  ...{ α: "a", β: "v", γ: "g", δ: "d", ε: "e", ζ: "z", η: "i", θ: "th", ι: "i", κ: "k", λ: "l", μ: "m", ν: "n", ξ: "x", ο: "o" },
  ...{ π: "p", ρ: "r", σ: "s", ς: "s", τ: "t", υ: "y", φ: "f", χ: "ch", ψ: "ps", ω: "o" },
};

/** Writes a Cyrillic or Greek name in Latin letters, as passports do; other text is left as it is. */
export function transliterated(name: string): string {
  const plain = /\p{Script=Greek}/u.test(name) ? name.normalize("NFD").replace(/\p{M}/gu, "") : name;
  const written = [...plain].map((letter) => {
    const twin = letters[letter.toLowerCase()];
    if (twin === undefined) return letter;
    return letter === letter.toLowerCase() ? twin : `${twin.slice(0, 1).toUpperCase()}${twin.slice(1)}`;
  });
  return written.join("");
}
