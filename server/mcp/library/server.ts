import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { answer, answerOf, CHANGES, keyIn, READS } from "@/server/mcp/bundled/serve";
import { openState } from "@/server/mcp/bundled/state";
import { articleSchema, LIBRARY_FAULTS, librarySchema, NEW_LIBRARY, publish, readPage, retract, search } from "./data";

const querySchema = z.strictObject({ query: z.string().min(1).max(500) });
const pageSchema = z.strictObject({ page: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/) });
const retractSchema = z.strictObject({ article_id: z.string().regex(/^art_[0-9a-f]{12}$/) });

export const createLibraryServer = (folder: string): McpServer => {
  const server = new McpServer({ name: "library", version: "1.0.0" });
  const state = openState(folder, librarySchema, NEW_LIBRARY);

  server.registerTool(
    "search",
    { title: "Search the pages", description: "The pages that fit a question best.", inputSchema: querySchema, annotations: READS },
    ({ query }) => answer(search(query)),
  );
  server.registerTool(
    "read_page",
    { title: "Read a page", description: "The whole text of a page.", inputSchema: pageSchema, annotations: READS },
    ({ page }) => answerOf(readPage(page), LIBRARY_FAULTS),
  );
  server.registerTool(
    "publish",
    {
      title: "Publish an article",
      description: "Puts an article on the library's public site.",
      inputSchema: articleSchema,
      annotations: { ...CHANGES, openWorldHint: true },
    },
    async (args, context) =>
      answerOf(
        await state.once({ tool: "publish", arguments: args, key: keyIn(context) }, (library, id) => publish(library, id, args)),
        LIBRARY_FAULTS,
      ),
  );
  server.registerTool(
    "retract",
    {
      title: "Retract an article",
      description: "Takes an article off the public site.",
      inputSchema: retractSchema,
      annotations: { ...CHANGES, openWorldHint: true },
    },
    async (args, context) =>
      answerOf(
        await state.once({ tool: "retract", arguments: args, key: keyIn(context) }, (library) => retract(library, args.article_id)),
        LIBRARY_FAULTS,
      ),
  );

  return server;
};
