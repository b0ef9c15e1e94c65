//! Each example file has the same ten conversations, in its own form.

mod sessions;
mod traces;

use serde_json::{Value, json};

use crate::foreign::{Log, MOST_TRIED};
use crate::import::Syntax;
use crate::import::conversation::{Conversation, Turn};

/// An example file.
struct Example {
    name: &'static str,
    text: &'static str,
    log: Log,
    /// What the form states of a result: that it is an error, that it is none.
    states: &'static [bool],
    /// Why the conversations that are not whole make no case: the one that is cut off, the one that failed, and the one that ends with a call.
    faults: [&'static str; 3],
}

macro_rules! example {
    ($name:literal, $log:expr, $states:expr, $faults:expr) => {
        Example {
            name: $name,
            text: include_str!(concat!("../../../tests/cli/import/logs/", $name)),
            log: $log,
            states: $states,
            faults: $faults,
        }
    };
}

const EXAMPLES: &[Example] = &[
    example!(
        "openai.jsonl",
        Log::OpenAi,
        &[],
        ["the answer was cut off (length)", "the model call failed (Rate limit reached for gpt-5-mini)", HANGS]
    ),
    example!(
        "openai-responses.jsonl",
        Log::OpenAi,
        &[],
        [
            "the answer was cut off (incomplete)",
            "the model call failed (The model is overloaded. Try again later.)",
            HANGS
        ]
    ),
    example!(
        "anthropic.jsonl",
        Log::Anthropic,
        &[true, false],
        ["the answer was cut off (max_tokens)", "the model call failed (Overloaded)", HANGS]
    ),
    example!(
        "ai-sdk.jsonl",
        Log::AiSdk,
        &[true, false],
        ["the answer was cut off (streaming)", "the last question has no answer", HANGS]
    ),
    example!(
        "pydantic-ai.jsonl",
        Log::PydanticAi,
        &[true, false],
        ["the answer was cut off (length)", "the model call failed (error)", HANGS]
    ),
    example!(
        "otlp.jsonl",
        Log::Otlp,
        &[true, false],
        ["the answer was cut off (length)", "the model call failed (the model is overloaded)", HANGS]
    ),
    example!(
        "langsmith.jsonl",
        Log::LangSmith,
        &[true, false],
        [
            "the answer was cut off (length)",
            "the model call failed (RateLimitError('the model is overloaded, status 529'))",
            "the agent failed (KeyError('find_routes'))",
        ]
    ),
    example!(
        "langfuse.jsonl",
        Log::Langfuse,
        &[true, false],
        ["the answer was cut off (length)", "the model call failed (529: the model is overloaded)", HANGS]
    ),
    example!(
        "claude-code.jsonl",
        Log::ClaudeCode,
        &[true, false],
        ["the answer was cut off (max_tokens)", "the model call failed (API Error: 529 Overloaded)", HANGS]
    ),
    example!(
        "codex.jsonl",
        Log::Codex,
        &[true, false],
        [
            "the model call failed (stream disconnected before completion: Incomplete response returned, reason: max_output_tokens)",
            "the model call failed (exceeded retry limit, last status: 529 Overloaded)",
            "the answer was not finished (interrupted)",
        ]
    ),
];

const HANGS: &str = "it ends with a call of a tool, without its result and an answer";

/// The form of a file and its conversations.
fn read(name: &str, text: &str) -> (Option<Log>, Vec<Conversation>) {
    let syntax = Syntax::of(name.rsplit('.').next().unwrap_or_default(), text);
    let values: Vec<(String, Value)> =
        syntax.values(text).map(|(place, value)| (place, value.expect("an example can be read"))).collect();
    let log = values.iter().take(MOST_TRIED).find_map(|(_, value)| Log::of(value));
    (log, log.map_or_else(Vec::new, |log| super::read(log, &mut values.into_iter())))
}

#[test]
fn each_form_has_the_same_cases() {
    let expected: Vec<Value> =
        serde_json::from_str(include_str!("../../../tests/cli/import/logs/expected.json")).unwrap();
    for Example { name, text, log, states, faults } in EXAMPLES {
        let (shown, conversations) = read(name, text);
        assert_eq!((shown, conversations.len()), (Some(*log), 10), "{name}");
        let mut expected = expected.clone();
        for call in expected.iter_mut().filter_map(|case| case["calls"].as_array_mut()).flatten() {
            let is_stated = call["is_error"].as_bool().is_some_and(|is_error| states.contains(&is_error));
            call["is_error"] = if is_stated { call["is_error"].take() } else { Value::Null };
        }
        let (mut cases, mut left_out) = (Vec::new(), Vec::new());
        for case in conversations.into_iter().map(Conversation::case) {
            match case {
                Ok(draft) => cases.push(draft),
                Err(why) => left_out.push(why),
            }
        }
        // The eighth conversation is equal to the first one.
        expected.insert(5, expected[0].clone());
        let cases: Vec<Value> = cases
            .into_iter()
            .map(|draft| {
                let calls = draft.calls.into_iter().flatten().map(|call| {
                    let (output, is_error) = call.result.expect("each call has its result");
                    json!({ "tool": call.tool, "input": call.input, "output": output, "is_error": is_error })
                });
                let calls: Vec<Value> = calls.collect();
                json!({ "setup_prompts": draft.setup_prompts, "prompt": draft.prompt, "response": draft.response, "calls": calls })
            })
            .collect();
        assert_eq!(cases, expected, "{name}");
        assert_eq!(left_out, faults, "{name}");
    }
}

/// The conversations of values, a line for each turn: `user hello`, `call 1 tool {}`, `result 1 {}`, `error 1 {}`, `fault …`.
fn turns(values: &[Value]) -> Vec<String> {
    let log = values.iter().find_map(Log::of).expect("a log");
    let mut placed = values.iter().enumerate().map(|(index, value)| (format!("line {}", index + 1), value.clone()));
    let conversations = super::read(log, &mut placed);
    let lines = conversations.into_iter().map(|conversation| {
        let turns = conversation.turns.into_iter().map(|turn| match turn {
            Turn::User(text) => format!("user {text}"),
            Turn::Assistant(text) => format!("assistant {text}"),
            Turn::Call { id, tool, input } => format!("call {id} {tool} {input}"),
            Turn::Result { of, output, is_error: None | Some(false) } => format!("result {of} {output}"),
            Turn::Result { of, output, is_error: Some(true) } => format!("error {of} {output}"),
        });
        turns
            .chain(conversation.unread.or(conversation.fault).map(|fault| format!("fault {fault}")))
            .collect::<Vec<_>>()
            .join("\n")
    });
    lines.collect()
}

fn check(values: Value, expected: &[&str]) {
    assert_eq!(turns(values.as_array().expect("a list")), expected, "{values}");
}

#[test]
fn messages_have_parts_refusals_and_older_calls() {
    let messages = json!([
        { "role": "developer", "content": "Be brief." },
        { "role": "user", "content": [{ "type": "text", "text": "Is it" }, { "type": "text", "text": "open?" }] },
        { "role": "assistant", "content": null, "function_call": { "name": "hours", "arguments": "{\"day\":1}" } },
        { "role": "function", "name": "hours", "content": "[8, 17]" },
        { "role": "assistant", "content": [{ "type": "text", "text": "From 8 " }, { "type": "text", "text": "to 17." }] },
        { "role": "user", "content": "And the code of the door?", "function_call": null },
        { "role": "assistant", "content": null, "refusal": "I cannot say that.", "tool_calls": null },
    ]);
    let all = "user Is it\nopen?\ncall  hours {\"day\":1}\nresult hours [8,17]\nassistant From 8 to 17.\n\
               user And the code of the door?\nassistant I cannot say that.";
    // The file is the list, or a line has it.
    check(messages.clone(), &[all]);
    check(json!([messages]), &[all]);
    check(json!([{ "id": "a", "messages": messages }]), &[all]);
    check(json!([{ "request": { "method": "POST", "body": { "messages": messages } }, "response": null }]), &[all]);
}

#[test]
fn an_exchange_is_a_request_and_its_response() {
    let request = json!({ "messages": [{ "role": "user", "content": "Hello" }] });
    let response =
        json!({ "choices": [{ "message": { "role": "assistant", "content": "Hi" }, "finish_reason": "stop" }] });
    let expected = ["user Hello\nassistant Hi"];
    check(json!([{ "request": request, "response": response }]), &expected);
    check(json!([{ "request": { "body": request }, "response": { "status_code": 200, "body": response } }]), &expected);
    assert_eq!(Log::of(&json!({ "request_body": request, "response_body": response })), None);
    check(json!([{ "messages": request["messages"], "response": response, "status": "success" }]), &expected);
    check(
        json!([{ "object": "chat.completion", "messages": request["messages"], "choices": response["choices"] }]),
        &expected,
    );
    // The output of a batch has no request.
    check(
        json!([{ "custom_id": "1", "response": { "status_code": 200, "body": response }, "error": null }]),
        &["assistant Hi"],
    );
    let filtered = json!({ "choices": [{ "message": { "role": "assistant", "content": "H" }, "finish_reason": "content_filter" }] });
    check(
        json!([{ "request": request, "response": filtered }]),
        &["user Hello\nassistant H\nfault the answer was withheld (content_filter)"],
    );
    let several = json!({ "choices": [response["choices"][0], response["choices"][0]] });
    check(
        json!([{ "request": request, "response": several }]),
        &["user Hello\nassistant Hi\nfault the response has several choices"],
    );
}

#[test]
fn steps_of_an_answer_are_one_conversation() {
    let user = json!({ "role": "user", "content": "Hello" });
    let call = json!({ "role": "assistant", "tool_calls": [
        { "id": "1", "function": { "name": "a", "arguments": "{}" } },
        { "id": "2", "function": { "name": "b", "arguments": "{}" } },
    ] });
    let results = [("2", "two"), ("1", "one")];
    let results = results.map(|(id, text)| json!({ "role": "tool", "tool_call_id": id, "content": text }));
    let line = |messages: &[&Value], answer: &Value| json!({ "request": { "messages": messages }, "response": { "choices": [{ "message": answer }] } });
    let answer = json!({ "role": "assistant", "content": "Hi" });
    check(
        json!([
            line(&[&user], &call),
            line(&[&user, &call, &results[0], &results[1]], &answer),
            line(&[&user], &answer)
        ]),
        &[
            "user Hello\ncall 1 a {}\ncall 2 b {}\nresult 2 \"two\"\nresult 1 \"one\"\nassistant Hi",
            "user Hello\nassistant Hi",
        ],
    );
}

#[test]
fn items_of_the_responses_api_are_turns() {
    let output = json!([
        { "type": "web_search_call", "id": "ws_1", "status": "completed", "action": { "type": "search", "query": "q" } },
        { "type": "mcp_call", "id": "m", "name": "read", "arguments": "{}", "output": "page", "error": null },
        { "type": "custom_tool_call", "call_id": "c", "name": "run", "input": "ls -l" },
        { "type": "custom_tool_call_output", "call_id": "c", "output": "none" },
        { "type": "message", "role": "assistant", "content": [{ "type": "refusal", "refusal": "No." }] },
    ]);
    let expected = "user Hello\ncall ws_1 web_search {\"type\":\"search\",\"query\":\"q\"}\ncall m read {}\nresult m \"page\"\n\
                    call c run \"ls -l\"\nresult c \"none\"\nassistant No.";
    check(json!([{ "input": "Hello", "output": output }]), &[expected]);
    check(json!([{ "input": [{ "role": "user", "content": "Hello" }], "output": output }]), &[expected]);
    let later =
        json!({ "request": { "input": "Hello", "previous_response_id": "resp_1" }, "response": { "output": output } });
    let continued = format!("{expected}\nfault it continues a conversation that the log does not repeat");
    check(json!([later]), &[&continued]);
    let failed = json!({ "status": "failed", "error": { "code": "server_error" }, "output": [] });
    check(
        json!([{ "request": { "input": "Hello" }, "response": failed }, { "input": "Hello", "output": output }]),
        &["user Hello\nfault the model call failed (server_error)", expected],
    );
}

#[test]
fn a_question_that_is_not_only_text_lasts() {
    let picture = json!({ "type": "image_url", "image_url": { "url": "data:," } });
    let message = |role: &str, content: Value| json!({ "role": role, "content": content });
    check(
        json!([[
            message("user", json!([picture, { "type": "text", "text": "What is it?" }])),
            message("assistant", json!("A boat.")),
            message("user", json!("Whose?")),
            message("assistant", json!("Ours.")),
        ]]),
        &["user What is it?\nassistant A boat.\nuser Whose?\nassistant Ours.\n\
           fault a message has a part that is not text (image_url)"],
    );
    check(
        json!([[
            message("user", json!("Hello")),
            message("narrator", json!("Rain.")),
            message("user", json!("Hm")),
            message("assistant", json!("Yes"))
        ]]),
        &["user Hello\nuser Hm\nassistant Yes\nfault a message has an unknown role (narrator)"],
    );
}

#[test]
fn messages_of_anthropic_have_blocks() {
    check(
        json!([[
            { "role": "user", "content": "Hello" },
            { "role": "assistant", "content": [
                { "type": "redacted_thinking", "data": "x" },
                { "type": "server_tool_use", "id": "s", "name": "web_search", "input": { "query": "q" } },
                { "type": "web_search_tool_result", "tool_use_id": "s", "content": [] },
                { "type": "text", "text": "As " }, { "type": "text", "text": "it says.", "citations": [] },
                { "type": "tool_use", "id": "t", "name": "look", "input": {} },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "t", "content": [{ "type": "image", "source": {} }] },
                { "type": "text", "text": "And now?" },
            ] },
        ]]),
        &["user Hello\ncall s web_search {\"query\":\"q\"}\nresult s []\nassistant As it says.\ncall t look {}\n\
           result t [{\"type\":\"image\",\"source\":{}}]\nfault a text beside the result of a tool may be a question or not"],
    );
}

#[test]
fn messages_of_other_programs_are_read() {
    let read = |messages: Value| {
        let mut conversation = Conversation::default();
        let messages = messages.as_array().expect("a list").iter();
        messages.for_each(|message| super::messages::add(&mut conversation, message));
        conversation.turns
    };
    let call = |id: &str| Turn::Call { id: id.into(), tool: "look".into(), input: json!({ "a": 1 }) };
    let result = |of: &str| Turn::Result { of: of.into(), output: json!("found"), is_error: Some(false) };
    let expected = |id: &str| vec![Turn::User("Hello".into()), call(id), result(id), Turn::Assistant("Hi".into())];
    // LangChain, with the calls in the content again.
    let input = json!({ "a": 1 });
    let block = json!({ "type": "tool_use", "id": "1", "name": "look", "input": input });
    let calls = json!([{ "id": "1", "name": "look", "args": input, "type": "tool_call" }]);
    let langchain = [
        ("human", "HumanMessage", json!({ "content": "Hello" })),
        ("ai", "AIMessage", json!({ "content": [block], "tool_calls": calls })),
        (
            "tool",
            "ToolMessage",
            json!({ "content": "found", "tool_call_id": "1", "name": "look", "status": "success" }),
        ),
        ("ai", "AIMessageChunk", json!({ "content": "Hi", "tool_calls": [], "response_metadata": {} })),
    ];
    let plain = langchain.iter().map(|(kind, _, body)| {
        let mut body = body.clone();
        body["type"] = json!(kind);
        body
    });
    assert_eq!(read(plain.collect()), expected("1"));
    let data = langchain.iter().map(|(kind, _, body)| json!({ "type": kind, "data": body }));
    assert_eq!(read(data.collect()), expected("1"));
    let kwargs = langchain.iter().map(|(_, class, body)| {
        json!({ "lc": 1, "type": "constructor", "id": ["langchain_core", "messages", class], "kwargs": body })
    });
    assert_eq!(read(kwargs.collect()), expected("1"));
    let telemetry = json!([
        { "role": "system", "parts": [{ "type": "text", "content": "Be brief." }] },
        { "role": "user", "parts": [{ "type": "text", "content": "Hello" }] },
        { "role": "assistant", "parts": [{ "type": "reasoning", "content": "Hm." },
                                         { "type": "tool_call", "id": "1", "name": "look", "arguments": input }],
          "finish_reason": "tool_call" },
        { "role": "tool", "parts": [{ "type": "tool_call_response", "id": "1", "response": "found" }] },
        { "role": "assistant", "parts": [{ "type": "text", "content": "Hi" }], "finish_reason": "stop" },
    ]);
    // OpenTelemetry need not state whether it succeeded.
    let mut unstated = expected("1");
    unstated[2] = Turn::Result { of: "1".into(), output: json!("found"), is_error: None };
    assert_eq!(read(telemetry), unstated);
    let ai_sdk = json!([
        { "role": "user", "content": [{ "type": "text", "text": "Hello" }] },
        { "role": "assistant", "content": [{ "type": "tool-call", "toolCallId": "1", "toolName": "look", "input": input }] },
        { "role": "tool", "content": [{ "type": "tool-result", "toolCallId": "1", "toolName": "look",
                                        "output": { "type": "text", "value": "found" } }] },
        { "role": "assistant", "content": "Hi" },
    ]);
    assert_eq!(read(ai_sdk), expected("1"));
    // Calls of other forms make the answer one that is not read.
    let mut gemini = Conversation::default();
    super::messages::add(&mut gemini, &json!({ "role": "user", "parts": [{ "text": "Hello" }] }));
    super::messages::add(
        &mut gemini,
        &json!({ "role": "model", "parts": [{ "functionCall": { "name": "look" } }, { "text": "Hi" }] }),
    );
    assert_eq!(gemini.case().unwrap_err(), "the answer has a part that is not text (unknown)");
}

#[test]
fn chats_of_the_ai_sdk_have_older_and_unfinished_parts() {
    let invocation = json!({ "state": "result", "toolCallId": "1", "toolName": "look", "args": {}, "result": [1] });
    let user = json!({ "id": "u", "role": "user", "content": "Hello" });
    let expected = ["user Hello\ncall 1 look {}\nresult 1 [1]\nassistant Hi"];
    let parts = json!([{ "type": "tool-invocation", "toolInvocation": invocation }, { "type": "text", "text": "Hi" }]);
    let with_parts = json!({ "id": "a", "role": "assistant", "content": "Hi", "parts": parts });
    check(json!([user, with_parts]), &expected);
    let with_list = json!({ "id": "a", "role": "assistant", "content": "Hi", "toolInvocations": [invocation] });
    check(json!([{ "messages": [user, with_list] }]), &expected);
    let attached = json!({ "role": "user", "content": "Read", "experimental_attachments": [{ "url": "data:," }] });
    check(
        json!([[attached, with_list]]),
        &[
            "user Read\ncall 1 look {}\nresult 1 [1]\nassistant Hi\nfault a message has a part that is not text (unknown)",
        ],
    );
    // Each row of a table is a message of a chat.
    let text = |text: &str| json!([{ "type": "data-place", "data": {} }, { "type": "text", "text": text }]);
    let row = |chat: u8, role: &str, said: &str| json!({ "chatId": chat, "role": role, "parts": text(said) });
    check(
        json!([row(1, "user", "One?"), row(2, "user", "Two?"), row(1, "assistant", "1"), row(2, "assistant", "2")]),
        &["user One?\nassistant 1", "user Two?\nassistant 2"],
    );
    let file = json!({ "type": "file", "mediaType": "image/png", "url": "data:," });
    let streaming = json!({ "type": "tool-look", "toolCallId": "1", "state": "input-streaming", "input": { "a": 1 } });
    check(
        json!([{ "messages": [{ "role": "user", "parts": [file] }, { "role": "user", "parts": text("Hello") },
                              { "role": "assistant", "parts": [streaming] }] }]),
        &["user Hello\ncall 1 look {\"a\":1}\nfault a message has a part that is not text (file)"],
    );
}

#[test]
fn messages_of_pydantic_ai_have_retries_and_files() {
    let part = |kind: &str, content: Value| json!({ "part_kind": kind, "content": content, "tool_call_id": "1" });
    let request = |part: Value| json!({ "kind": "request", "parts": [part] });
    let response = |part: Value| json!({ "kind": "response", "parts": [part] });
    let call = json!({ "part_kind": "tool-call", "tool_name": "look", "args": null, "tool_call_id": "1" });
    let mut retry = part("retry-prompt", json!("Try again."));
    retry["tool_name"] = json!("look");
    let asked = request(part("user-prompt", json!(["Hello", { "kind": "text-content", "content": "there" }])));
    let hi = response(part("text", json!("Hi")));
    let expected = "user Hello\nthere\ncall 1 look {}\nerror 1 \"Try again.\"\nassistant Hi";
    let messages = json!([asked, response(call), request(retry), hi]);
    check(messages.clone(), &[expected]);
    check(json!([{ "all_messages": messages }]), &[expected]);
    check(
        json!([[asked, hi, request(part("retry-prompt", json!("Answer with a number."))), hi]]),
        &["user Hello\nthere\nassistant Hi\nassistant Hi\nfault an answer was rejected, and another was asked for"],
    );
    let picture = json!({ "kind": "image-url", "url": "https://example.com/boat.png" });
    check(
        json!([[request(part("user-prompt", json!(["Whose?", picture]))), hi]]),
        &["user Whose?\nassistant Hi\nfault a message has a part that is not text (image_url)"],
    );
}

#[test]
fn cases_and_other_files_are_not_logs() {
    let user = json!({ "role": "user", "content": "Hello" });
    let assistant = json!({ "role": "assistant", "content": "Hi" });
    let messages = json!([user, assistant]);
    assert_eq!(Log::of(&json!({ "messages": messages })), Some(Log::OpenAi));
    for value in [
        json!(null),
        json!("assistant"),
        json!([]),
        json!({ "messages": [] }),
        json!({ "messages": [user] }),
        json!({ "messages": [user, assistant, user] }),
        json!({ "messages": messages, "expected": "Hi" }),
        json!({ "messages": messages, "must_contain": ["Hi"] }),
        json!({ "input": messages, "ideal": "Hi" }),
        json!({ "messages": [{ "role": "user", "content": "Hello", "expected_tools": ["look"] }, assistant] }),
        json!({ "messages": [{ "role": "user", "parts": [{ "type": "text", "text": "a" }] }], "expected_output": "Hi" }),
        json!({ "type": "GENERATION", "input": messages, "output": { "role": "assistant", "content": "Hi" } }),
        json!({ "id": "1", "inputs": { "messages": messages }, "outputs": { "messages": messages } }),
        json!({ "type": "user", "message": { "role": "user", "content": "Hello" } }),
        json!({ "kind": "request", "parts": [] }),
        json!({ "resourceMetrics": [{ "scopeMetrics": [] }] }),
        json!({ "run_type": "llm", "inputs": {}, "outputs": {} }),
        json!({ "type": "SPAN", "traceId": "a", "name": "scan" }),
        json!({ "type": "summary", "summary": "Times", "leafUuid": "a" }),
        json!({ "type": "event_msg", "payload": {} }),
        json!({ "name": "a suite", "version": "0.3", "cases": [{ "id": "a", "prompt": "Hello", "expected": {} }] }),
    ] {
        assert_eq!(Log::of(&value), None, "{value}");
    }
}

#[test]
fn a_long_conversation_is_read_in_one_pass() {
    let messages = (0..40_000).map(|index| {
        let role = if index % 2 == 0 { "user" } else { "assistant" };
        (format!("element {index}"), json!({ "role": role, "content": format!("text {index}") }))
    });
    let conversations = super::read(Log::OpenAi, &mut messages.into_iter());
    let case = conversations.into_iter().next().expect("a conversation").case().expect("a case");
    assert_eq!((case.setup_prompts.len(), case.response.as_deref()), (19_999, Some("text 39999")));
}
