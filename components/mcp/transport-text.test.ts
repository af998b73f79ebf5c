import { expect, it } from "vitest";
import { hexDigestSchema } from "@/lib/hash";
import { findPresence } from "@/lib/mcp/program-presence";
import { computeProgramDigest, type Program } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";
import { describeTransport, listProgramFacts, listTransportFacts } from "./transport-text";

const DIGEST = hexDigestSchema.parse("a".repeat(64));
const IMAGE: Program = {
  id: "fetch",
  name: "Fetch",
  runs: { kind: "image", engine: "podman", image: `mcp/fetch@sha256:${DIGEST}`, config: DIGEST },
  files: DIGEST,
  args: [],
  env: {},
  placeholders: {},
};
const TRANSPORT: McpTransport = { type: "stdio", manifest: { program: "fetch", digest: computeProgramDigest(IMAGE), values: {} } };

it("a container server is listed by its image, with the container's limits", () => {
  const presence = findPresence(TRANSPORT, [[IMAGE]]);
  expect(presence).toEqual({ runners: 1, having: 1, image: `mcp/fetch@sha256:${DIGEST}` });
  expect(describeTransport(TRANSPORT, presence?.image)).toBe("container: mcp/fetch");
  expect(describeTransport(TRANSPORT)).toBe("operator program: fetch");
  expect(listProgramFacts(IMAGE)[0]).toEqual({ label: "Runs", text: `container mcp/fetch@sha256:${DIGEST}, by podman` });
  expect(listTransportFacts(TRANSPORT, IMAGE).at(-1)?.text).toContain("256 processes");
});
