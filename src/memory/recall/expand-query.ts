/**
 * Adds English and Chinese synonyms to queries that a person typed. Only the word search
 * uses them: embeddings cover synonyms, and automatic recall should not widen its query.
 */
import { escapePattern } from "../../text/escape-pattern.ts";
import type { RecallSource } from "../inputs.ts";

const MOST_ADDED = 5;
const EXPANDED_SOURCES: ReadonlySet<RecallSource> = new Set(["manual", "cli"]);

/** Words of one group are synonyms in a search. */
const GROUPS: readonly (readonly string[])[] = [
  ["error", "failure", "exception", "bug", "错误", "报错", "故障", "异常"],
  ["fix", "repair", "solution", "workaround", "修复", "解决", "修改"],
  ["settings", "configuration", "config", "preferences file", "配置", "设置"],
  ["deploy", "deployment", "release", "rollout", "部署", "发布", "上线"],
  ["database", "schema", "table", "sql", "数据库", "表结构"],
  ["password", "credential", "token", "api key", "密码", "凭证", "密钥"],
  ["login", "sign in", "authentication", "登录", "认证"],
  ["meeting", "appointment", "call", "会议", "约会", "预约"],
  ["deadline", "due date", "截止", "期限"],
  ["prefer", "preference", "favourite", "like", "偏好", "喜欢", "喜好"],
  ["decision", "decided", "agreed", "choice", "决定", "商定", "选择"],
  ["family", "wife", "husband", "children", "家人", "妻子", "丈夫", "孩子"],
  ["food", "meal", "restaurant", "dinner", "食物", "餐厅", "吃饭"],
  ["trip", "travel", "journey", "vacation", "旅行", "出差", "度假"],
];

interface ExpandedQuery {
  /** For the word search. */
  readonly query: string;
  readonly added: readonly string[];
  readonly reason: string;
}

export function expandQuery(query: string, source: RecallSource): ExpandedQuery {
  if (!EXPANDED_SOURCES.has(source))
    return { query, added: [], reason: `Queries from ${source} are not expanded.` };
  const lower = query.toLowerCase();
  const added = GROUPS.filter((group) => group.some((word) => contains(lower, word)))
    .flatMap((group) => group.filter((word) => !contains(lower, word)))
    .slice(0, MOST_ADDED);
  if (added.length === 0) return { query, added, reason: "No synonyms are known for it." };
  return { query: `${query} ${added.join(" ")}`, added, reason: `Also searched for ${added.join(", ")}.` };
}

/** Chinese anywhere, English as a whole word. */
function contains(text: string, word: string): boolean {
  if (/\p{sc=Han}/u.test(word)) return text.includes(word);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escapePattern(word)}(?![\p{L}\p{N}])`, "u").test(text);
}
