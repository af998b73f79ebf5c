/** Names that look like what they are: nothing in them is invisible or turns the direction of what stands around it. */
import { z } from "zod";

/** Everything without a picture of its own: controls, bidi marks, tags, fillers, lone surrogates, blanks that are none. */
export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Co}\u2028\u2029\u2800\ufff9-\ufffb]/u;

/** An emoji may say that it is one, and several may be joined to one: nothing of that can be told from its looks. */
const EMOJI = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*/gu;

/** Whether every character of a name can be seen. */
export const isVisibleName = (text: string): boolean => !UNSEEN.test(text.replaceAll(EMOJI, ""));

/** A name without what cannot be seen in it. */
export const withoutUnseen = (text: string): string =>
  text.replaceAll(new RegExp(`(${EMOJI.source})|${UNSEEN.source}`, "gu"), (_all, emoji: string | undefined) => emoji ?? "").trim();

export const UNSEEN_IN_NAME = "A name has no invisible characters and none that change the direction of text.";

/** A name that somebody gives: one to `most` characters that can all be seen. What is stored already is read without it. */
export const visibleNameSchema = (most: number, missing?: string) =>
  z.string().trim().min(1, missing).max(most).refine(isVisibleName, UNSEEN_IN_NAME);
