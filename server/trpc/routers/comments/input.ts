import { z } from "zod";
import { MOST_MENTIONS } from "@/lib/engine/proposal";

export const commentFields = {
  text: z.string().trim().min(1).max(2_000),
  mentions: z.array(z.uuid()).max(MOST_MENTIONS).default([]),
};

type Fields = { readonly text: string; readonly mentions: readonly string[] };

export const toCommentBody = ({ text, mentions }: Fields) => ({ text, ...(mentions.length === 0 ? {} : { mentions: [...mentions] }) });
