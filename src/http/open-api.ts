/** The OpenAPI 3.1 document, from the schemas of the operations. */
import { packageVersion } from "../package-version.ts";
import { STATUSES } from "./problem.ts";
import { type JsonSchema, ROUTES, type Route } from "./routes.ts";

const PROBLEM = { $ref: "#/components/responses/Problem" };

export function openApi(): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "Palimpsest",
      version: packageVersion(),
      license: { name: "MIT", identifier: "MIT" },
      description:
        "Every operation of Palimpsest. Input and output are those of the command of the same name. Errors are application/problem+json.",
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(ROUTES.map((route) => [route.path, pathItem(route)])),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { Problem: PROBLEM_SCHEMA },
      responses: {
        Problem: {
          description: "The problem, and what to do about it.",
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
    },
  };
}

function pathItem(route: Route): object {
  const { operation, right } = route;
  const common = {
    summary: operation.summary,
    tags: [route.words.split(" ")[0]],
    description: `Requires the right \`${right}\`.`,
    responses: { 200: success(route), default: PROBLEM },
  };
  const body = { required: true, content: { "application/json": { schema: route.input } } };
  const post = { operationId: `${operation.name}-post`, ...common, requestBody: body };
  if (!route.reads) return { post: { ...post, operationId: operation.name } };
  const responses = { ...common.responses, 304: { description: "Not modified since the ETag." } };
  const parameters = parametersOf(route.input);
  return { get: { operationId: operation.name, ...common, responses, parameters }, post };
}

function success({ output, stream, pageField }: Route): object {
  const lines = { "application/x-ndjson": { schema: { type: "string" } } };
  const bytes = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
  const content = {
    ...(stream?.isOnly === true ? {} : { "application/json": { schema: output } }),
    ...(stream?.type === "application/octet-stream" ? bytes : {}),
    ...(stream?.type === "application/x-ndjson" || pageField !== null ? lines : {}),
  };
  return {
    description: pageField === null ? "Done." : "Success. As x-ndjson, one page per line.",
    content,
  };
}

function parametersOf({ properties = {}, required = [] }: JsonSchema): readonly object[] {
  return Object.entries(properties).map(([name, { description = "", ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    description,
    schema,
  }));
}

const PROBLEM_SCHEMA = {
  type: "object",
  required: ["type", "title", "status", "detail", "code", "retryable"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { enum: Object.keys(STATUSES) },
    advice: { type: "string" },
    retryable: { type: "boolean", description: "Whether the same call may succeed later." },
  },
  additionalProperties: false,
};
