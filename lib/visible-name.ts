import { z } from "zod";

export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Co}\u2028\u2029\u2800\ufff9-\ufffb]/u;

/** Emoji contain selectors and joiners. */
const EMOJI = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*/gu;

export const isVisibleName = (text: string): boolean => !UNSEEN.test(text.replaceAll(EMOJI, ""));

export const stripUnseen = (text: string): string =>
  text.replaceAll(new RegExp(`(${EMOJI.source})|${UNSEEN.source}`, "gu"), (_all, emoji: string | undefined) => emoji ?? "").trim();

export const UNSEEN_IN_NAME = "A name has no invisible characters and none that change the direction of text.";

/** Creates a schema for new names. */
export const visibleNameSchema = (most: number, missing?: string) =>
  z.string().trim().min(1, missing).max(most).refine(isVisibleName, UNSEEN_IN_NAME);
