import { visibleText } from "@/components/runs/visible-text";
import type { Place } from "@/lib/leaves";

const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]*$/u;

/** `items[2].name`, odd names in quotation marks; empty for the value itself. Names come from outside as well. */
export const placeText = (place: Place): string =>
  place.reduce<string>((text, name) => {
    if (typeof name === "number") return `${text}[${name}]`;
    if (!PLAIN.test(name)) return `${text}[${visibleText(JSON.stringify(name))}]`;

    return text === "" ? name : `${text}.${name}`;
  }, "");
