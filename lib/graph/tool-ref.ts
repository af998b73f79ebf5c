import { z } from "zod";

export const toolNameSchema = z.string().regex(/^[a-zA-Z0-9_.-]{1,128}$/);

/** A definition has 256 kB in all. */
export const toolDescriptionSchema = z.string().max(262_144);

/** Returns a tool's name for models: `server__tool`. */
export const getToolId = (server: string, tool: string): string => `${server}__${tool}`;
