import { toVisibleText } from "@/components/values/visible-text";
import type { Place } from "@/lib/leaves";

const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]*$/u;

/** Formats `items[2].name`; quotes other, possibly untrusted names. */
export const placeText = (place: Place): string =>
  place.reduce<string>((text, name) => {
    if (typeof name === "number") return `${text}[${name}]`;
    if (!PLAIN.test(name)) return `${text}[${toVisibleText(JSON.stringify(name))}]`;

    return text === "" ? name : `${text}.${name}`;
  }, "");
