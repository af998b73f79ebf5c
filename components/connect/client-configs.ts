/** MCP client configurations; the token comes from the environment. */
export const TOKEN_VARIABLE = "COUNTERSIGN_TOKEN";

export type Endpoint = { readonly name: string; readonly url: string };
export type ClientConfig = { readonly where: string; readonly text: string; readonly note: string };

/** Uses only letters, digits and dashes. */
export const getServerName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "")
    .slice(0, 40) || "countersign";

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const SET_VARIABLE = `Set the environment variable ${TOKEN_VARIABLE} to the token before the client starts.`;

export const CLIENTS = {
  claude_code: {
    label: "Claude Code",
    config: ({ name, url }) => ({
      where: ".mcp.json in the project",
      text: json({
        mcpServers: { [getServerName(name)]: { type: "http", url, headers: { Authorization: `Bearer \${${TOKEN_VARIABLE}}` } } },
      }),
      note: SET_VARIABLE,
    }),
  },
  cursor: {
    label: "Cursor",
    config: ({ name, url }) => ({
      where: ".cursor/mcp.json in the project",
      text: json({ mcpServers: { [getServerName(name)]: { url, headers: { Authorization: `Bearer \${env:${TOKEN_VARIABLE}}` } } } }),
      note: SET_VARIABLE,
    }),
  },
  vs_code: {
    label: "VS Code",
    config: ({ name, url }) => ({
      where: ".vscode/mcp.json in the project",
      text: json({
        inputs: [{ type: "promptString", id: "countersign-token", description: "Countersign token", password: true }],
        servers: { [getServerName(name)]: { type: "http", url, headers: { Authorization: "Bearer ${input:countersign-token}" } } },
      }),
      note: "VS Code asks for the token once and keeps it in its secret store.",
    }),
  },
  codex: {
    label: "Codex",
    config: ({ name, url }) => ({
      where: "~/.codex/config.toml",
      text: [`[mcp_servers.${getServerName(name)}]`, `url = ${JSON.stringify(url)}`, `bearer_token_env_var = "${TOKEN_VARIABLE}"`].join(
        "\n",
      ),
      note: SET_VARIABLE,
    }),
  },
  stdio: {
    label: "Any client over stdio",
    config: ({ name, url }) => ({
      where: "the client's server list",
      text: json({
        mcpServers: {
          [getServerName(name)]: { command: "countersign", args: ["mcp", "--url", url, "--token-env", TOKEN_VARIABLE] },
        },
      }),
      note: `The bridge reads the token from ${TOKEN_VARIABLE}, because others on the machine could read an argument.`,
    }),
  },
} as const satisfies Record<string, { readonly label: string; readonly config: (endpoint: Endpoint) => ClientConfig }>;

export type ClientId = keyof typeof CLIENTS;
