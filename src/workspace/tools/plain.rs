//! The names in files that are valid JSON of the expected shape, which most files are. Reading them makes no tree.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// What a case of a suite names. A list that is missing is empty.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Names {
    pub(super) tool_calls_any: Vec<String>,
    pub(super) tool_calls_none: Vec<String>,
    pub(super) telemetry: Vec<String>,
    pub(super) required_sources: Vec<String>,
}

/// An event of a transcript that names its source.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct NamedEvent {
    pub(super) source: String,
    pub(super) event: Option<String>,
}

/// What the cases of a suite name. `None` if the text has a syntax error, one of these keys twice, or a value of another
/// type.
pub(super) fn names(text: &str) -> Option<Vec<Names>> {
    #[derive(Deserialize)]
    struct Suite {
        #[serde(default)]
        cases: Vec<Object<Case>>,
    }

    #[derive(Deserialize)]
    struct Case {
        #[serde(default)]
        expected: Object<Names>,
    }

    let suite: Object<Suite> = serde_json::from_str(text).ok()?;
    Some(suite.0.cases.into_iter().map(|case| case.0.expected.0).collect())
}

/// The events of a transcript; `None` as for [`names`].
pub(super) fn events(text: &str) -> Option<Vec<NamedEvent>> {
    #[derive(Deserialize)]
    struct Transcript {
        #[serde(default)]
        telemetry: Vec<Object<NamedEvent>>,
    }

    let transcript: Object<Transcript> = serde_json::from_str(text).ok()?;
    Some(transcript.0.telemetry.into_iter().map(|event| event.0).collect())
}

/// A value of an object. Without this, Serde would also accept an array with the values of the keys.
#[derive(Debug, Default)]
struct Object<T>(T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);

        impl<'de, T: DeserializeOwned> Visitor<'de> for Members<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(members))
            }
        }

        deserializer.deserialize_map(Members(PhantomData)).map(Object)
    }
}
