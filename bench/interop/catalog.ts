/** Public MCP servers that `npm run interop` registers; arguments as their documentation names them. */
export type Candidate = {
  readonly kind: "npm" | "python";
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
};

const npm = (name: string, more: Omit<Candidate, "kind" | "name"> = {}): Candidate => ({ kind: "npm", name, ...more });
const python = (name: string, more: Omit<Candidate, "kind" | "name"> = {}): Candidate => ({ kind: "python", name, ...more });

export const CANDIDATES: readonly Candidate[] = [
  npm("@modelcontextprotocol/server-filesystem", { args: ["/srv"] }),
  npm("@modelcontextprotocol/server-memory"),
  npm("@modelcontextprotocol/server-everything"),
  npm("@modelcontextprotocol/server-sequential-thinking"),
  npm("@modelcontextprotocol/server-github", { secrets: ["GITHUB_PERSONAL_ACCESS_TOKEN"] }),
  npm("@modelcontextprotocol/server-slack", { secrets: ["SLACK_BOT_TOKEN"], env: { SLACK_TEAM_ID: "T0" } }),
  npm("@modelcontextprotocol/server-google-maps", { secrets: ["GOOGLE_MAPS_API_KEY"] }),
  npm("@modelcontextprotocol/server-brave-search", { secrets: ["BRAVE_API_KEY"] }),
  npm("@modelcontextprotocol/server-gitlab", { secrets: ["GITLAB_PERSONAL_ACCESS_TOKEN"] }),
  npm("@modelcontextprotocol/server-postgres", { args: ["postgresql://localhost/none"] }),
  npm("@playwright/mcp"),
  npm("@notionhq/notion-mcp-server", { secrets: ["NOTION_TOKEN"] }),
  npm("@brave/brave-search-mcp-server", { secrets: ["BRAVE_API_KEY"] }),
  npm("mongodb-mcp-server"),
  npm("mcp-server-kubernetes"),
  npm("@wonderwhy-er/desktop-commander"),
  npm("@upstash/context7-mcp"),
  npm("tavily-mcp", { secrets: ["TAVILY_API_KEY"] }),
  npm("exa-mcp-server", { secrets: ["EXA_API_KEY"] }),
  npm("firecrawl-mcp", { secrets: ["FIRECRAWL_API_KEY"] }),
  npm("figma-developer-mcp", { args: ["--stdio"], secrets: ["FIGMA_API_KEY"] }),
  npm("chrome-devtools-mcp"),
  npm("@antv/mcp-server-chart"),
  npm("@cyanheads/git-mcp-server"),
  npm("@eslint/mcp"),
  npm("@stripe/mcp", { args: ["--tools=all"], secrets: ["STRIPE_SECRET_KEY"] }),
  npm("@sentry/mcp-server", { secrets: ["SENTRY_ACCESS_TOKEN"] }),
  npm("@supabase/mcp-server-supabase", { secrets: ["SUPABASE_ACCESS_TOKEN"] }),
  npm("@heroku/mcp-server", { secrets: ["HEROKU_API_KEY"] }),
  npm("@cloudflare/mcp-server-cloudflare"),
  npm("@azure/mcp"),
  npm("@hubspot/mcp-server", { secrets: ["PRIVATE_APP_ACCESS_TOKEN"] }),
  npm("airtable-mcp-server", { secrets: ["AIRTABLE_API_KEY"] }),
  npm("kubernetes-mcp-server"),
  npm("@elastic/mcp-server-elasticsearch", { env: { ES_URL: "http://localhost:9200" }, secrets: ["ES_API_KEY"] }),
  npm("puppeteer-mcp-server"),
  npm("@executeautomation/playwright-mcp-server"),
  npm("mcp-server-code-runner"),
  npm("@benborla29/mcp-server-mysql"),
  npm("shadcn", { args: ["mcp"] }),
  npm("@cablate/mcp-google-map", { args: ["--stdio"], secrets: ["GOOGLE_MAPS_API_KEY"] }),
  npm("@coo-quack/calc-mcp"),
  npm("xcodebuildmcp"),
  npm("@modelcontextprotocol/server-gdrive"),
  npm("@modelcontextprotocol/server-redis", { args: ["redis://localhost:6379"] }),
  python("mcp-server-time"),
  python("mcp-server-git"),
  python("mcp-server-fetch"),
  python("duckduckgo-mcp-server"),
  python("awslabs.aws-location-mcp-server", { env: { AWS_REGION: "eu-central-1" } }),
  python("awslabs.aws-network-mcp-server", { env: { AWS_REGION: "eu-central-1" } }),
  python("awslabs.aws-pricing-mcp-server", { env: { AWS_REGION: "eu-central-1" } }),
  python("awslabs.aws-appsync-mcp-server", { env: { AWS_REGION: "eu-central-1" } }),
  python("awslabs.bedrock-kb-retrieval-mcp-server", { env: { AWS_REGION: "eu-central-1" } }),
  python("awslabs.roda-mcp-server"),
];
