import { isBundledProgram } from "@/lib/mcp/bundled-program";
import { computeProgramDigest, type OfferedProgram } from "@/lib/mcp/program";
import { listPrograms } from "@/server/store/health";
import { findDemoWorkspace } from "@/server/store/workspaces/workspaces";
import { createProcedure } from "@/server/trpc/init";

/** Lists only bundled programs in the passwordless demo. */
export const mcpPrograms = createProcedure("mcp.manage").query(async ({ ctx }): Promise<readonly OfferedProgram[]> => {
  const [programs, demo] = await Promise.all([listPrograms(), findDemoWorkspace()]);

  return programs.flatMap((program) =>
    demo?.id === ctx.workspaceId && !isBundledProgram(program.id) ? [] : [{ ...program, digest: computeProgramDigest(program) }],
  );
});
