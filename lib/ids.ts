import { z } from "zod";

/** Ids chosen by people. */
export const idSchema = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);

/** Ids minted by the server. */
export const uuidSchema = z.uuid();
