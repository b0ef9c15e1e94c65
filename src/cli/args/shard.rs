use std::str::FromStr;

/// The value of `--shard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardArg {
    /// `m/n`: the shard `index` of `count`, from 1.
    Fixed {
        /// The number of the shard.
        index: usize,
        /// The number of shards.
        count: usize,
    },
    /// `auto`: what the environment says; with `auto/n`, only the number of the shard comes from there.
    Auto {
        /// The number of shards, if it is given.
        count: Option<usize>,
    },
}

impl FromStr for ShardArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ShardArg, String> {
        let fault = || "expected `auto`, `auto/4`, or a shard and the number of shards such as `2/4`".to_owned();
        let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0).ok_or_else(fault);
        match text.split_once('/') {
            None if text == "auto" => Ok(ShardArg::Auto { count: None }),
            None => Err(fault()),
            Some(("auto", count)) => Ok(ShardArg::Auto { count: Some(number(count)?) }),
            Some((index, count)) => {
                let (index, count) = (number(index)?, number(count)?);
                if index > count {
                    return Err(format!("there is no shard {index} of {count}; the first one is 1/{count}"));
                }
                Ok(ShardArg::Fixed { index, count })
            }
        }
    }
}
