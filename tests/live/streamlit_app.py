"""A Streamlit chat. LIVE_PAUSE is the time to the first token, in seconds."""

import os
import time

import streamlit

messages = streamlit.session_state.setdefault("messages", [])
for role, text in messages:
    streamlit.chat_message(role).write(text)
if prompt := streamlit.chat_input("Ask me"):
    streamlit.chat_message("user").write(prompt)
    messages.append(("user", prompt))

    def words():
        time.sleep(float(os.environ.get("LIVE_PAUSE", "0")))
        for word in "There are 12 commits in the repository.".split():
            yield f"{word} "
            time.sleep(0.05)

    messages.append(("assistant", streamlit.chat_message("assistant").write_stream(words)))
