import { z } from "zod";

export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Co}\u2028\u2029\u2800\ufff9-\ufffb]/u;

const ALL_UNSEEN = new RegExp(UNSEEN.source, "gu");

/** `a\u200Bb` becomes `a⟨U+200B⟩b`; lines stay. */
export const toVisibleText = (text: string): string =>
  text.replaceAll(ALL_UNSEEN, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.codePointAt(0) ?? 0;

    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });

/** Emoji contain selectors and joiners. */
const EMOJI = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*/gu;

export const isVisibleName = (text: string): boolean => !UNSEEN.test(text.replaceAll(EMOJI, ""));

export const stripUnseen = (text: string): string =>
  text.replaceAll(new RegExp(`(${EMOJI.source})|${UNSEEN.source}`, "gu"), (_all, emoji: string | undefined) => emoji ?? "").trim();

export const UNSEEN_IN_NAME = "A name has no invisible characters and none that change the direction of text.";

export const visibleNameSchema = (most: number, missing?: string) =>
  z.string().trim().min(1, missing).max(most).refine(isVisibleName, UNSEEN_IN_NAME);
