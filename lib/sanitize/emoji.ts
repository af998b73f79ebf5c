const EMOJI_TAIL = String.raw`(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})`;

/** Joiner in an emoji sequence, or one selector after its base. */
const KEPT = new RegExp(
  String.raw`(?<=${EMOJI_TAIL}\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic}|[0-9#*])[\ufe0e\ufe0f]`,
  "uy",
);

export const isEmojiPart = (text: string, offset: number): boolean => {
  KEPT.lastIndex = offset;

  return KEPT.test(text);
};
