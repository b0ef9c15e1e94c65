mod frames;
mod messages;
