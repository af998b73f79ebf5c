import { z } from "zod";

export const toolNameSchema = z.string().regex(/^[a-zA-Z0-9_.-]{1,128}$/);

/** How a model names a tool: `server__tool`. */
export const getToolId = (server: string, tool: string): string => `${server}__${tool}`;
