import { stripUnseen } from "@/lib/visible-name";

const MOST_CHARS = 400;

/** Stops clients from linking an attacker's addresses. */
export const toPlainText = (text: string): string => {
  const plain = stripUnseen(text.replaceAll(/\s+/gu, " "))
    .replaceAll("://", "[:]//")
    .replaceAll(/\bwww\./giu, "www[.]")
    .replaceAll(/mailto:/giu, "mailto[:]");

  return plain.length > MOST_CHARS ? `${plain.slice(0, MOST_CHARS - 1).toWellFormed()}…` : plain;
};
